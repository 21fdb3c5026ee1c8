// The exponential law, which has no memory: F(t) = 1 − e^(−t/mean).
#include <cmath>
#include <numeric>

#include "sim/laws/lifetime_law.h"

namespace sim::laws {
namespace {

constexpr std::array<std::string_view, 1> kExponentialParameters{"mean"};

// The time in all stretches ÷ the ends seen.
LawParameters exponential_fit_to(const LifetimeSample& sample) {
  const double whole = std::accumulate(sample.whole.begin(), sample.whole.end(), 0.0);
  const double all = std::accumulate(sample.cut.begin(), sample.cut.end(), whole);
  return {all / static_cast<double>(sample.whole.size())};
}
double exponential_cdf(const LawParameters& p, double t) { return -std::expm1(-t / p[0]); }
double exponential_log_density(const LawParameters& p, double t) {
  return -std::log(p[0]) - t / p[0];
}
double exponential_log_survival(const LawParameters& p, double t) { return -t / p[0]; }
double exponential_mean(const LawParameters& p) { return p[0]; }
double exponential_draw(const LawParameters& p, Stream& stream) {
  return -p[0] * std::log1p(-stream.uniform());
}

}  // namespace

const LifetimeLaw kExponential{.name = "exponential",
                               .parameters = kExponentialParameters,
                               .regular = true,
                               .bootstrap_rounds = 199,
                               .fit = exponential_fit_to,
                               .cdf = exponential_cdf,
                               .log_density = exponential_log_density,
                               .log_survival = exponential_log_survival,
                               .mean = exponential_mean,
                               .draw = exponential_draw};

}  // namespace sim::laws
