// F(t) = 1 − e^(−(t/scale)^shape): a shape below 1 dies early, above 1 wears out.
#include <algorithm>
#include <cmath>

#include "sim/laws/lifetime_law.h"
#include "sim/laws/root.h"

namespace sim::laws {
namespace {

constexpr std::array<std::string_view, 2> kWeibullParameters{"scale", "shape"};

// Cohen, "Maximum likelihood estimation in the Weibull distribution based on complete and on
// censored samples", Technometrics 1965. The sums are over all stretches. n and the mean are over
// the complete stretches. The function Σxᵏ·ln x ÷ Σxᵏ − 1/k − mean ln x rises in k and is 0 at the
// shape. Then
// scaleᵏ = Σxᵏ ÷ n.
LawParameters weibull_fit_to(const LifetimeSample& sample) {
  const auto n = static_cast<double>(sample.whole.size());
  // Divided by the longest, powers cannot overflow.
  const double longest =
      std::max(sample.whole.back(), sample.cut.empty() ? 0.0 : sample.cut.back());
  struct LogStretch {
    double log, count;
  };
  std::vector<LogStretch> rows;
  double mean_log = 0;
  for (const EqualStretches& row : rows_of(sample)) {
    rows.push_back({std::log(row.hours / longest), row.count});
    if (!row.cut) mean_log += row.count * rows.back().log / n;
  }
  const auto slope = [&](double k) {
    double sum = 0, weighted = 0;
    for (const auto& [log, count] : rows) {
      const double power = count * std::exp(k * log);
      sum += power;
      weighted += power * log;
    }
    return weighted / sum - 1 / k - mean_log;
  };
  const double shape = root_of_rising(slope, 0.02, 50);
  double powers = 0;
  for (const auto& [log, count] : rows) powers += count * std::exp(shape * log) / n;
  return {longest * std::pow(powers, 1 / shape), shape};
}

double weibull_cdf(const LawParameters& p, double t) {
  return -std::expm1(-std::pow(t / p[0], p[1]));
}
double weibull_log_density(const LawParameters& p, double t) {
  return std::log(p[1] / p[0]) + (p[1] - 1) * std::log(t / p[0]) - std::pow(t / p[0], p[1]);
}
double weibull_log_survival(const LawParameters& p, double t) { return -std::pow(t / p[0], p[1]); }
double weibull_mean(const LawParameters& p) { return p[0] * std::tgamma(1 + 1 / p[1]); }
double weibull_draw(const LawParameters& p, Stream& stream) {
  return p[0] * std::pow(-std::log1p(-stream.uniform()), 1 / p[1]);
}

}  // namespace

const LifetimeLaw kWeibull{.name = "weibull",
                           .parameters = kWeibullParameters,
                           .regular = true,
                           .bootstrap_rounds = 199,
                           .fit = weibull_fit_to,
                           .cdf = weibull_cdf,
                           .log_density = weibull_log_density,
                           .log_survival = weibull_log_survival,
                           .mean = weibull_mean,
                           .draw = weibull_draw};

}  // namespace sim::laws
