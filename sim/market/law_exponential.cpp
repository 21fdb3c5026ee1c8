// Without memory: F(t) = 1 − e^(−t/mean).
#include <cmath>
#include <numeric>

#include "sim/market/lifetime_law.h"

namespace sim::market {
namespace {

constexpr std::array<std::string_view, 1> kParameters{"mean"};

// The time in all stretches ÷ the ends seen.
LawParameters fit_to(const Lifetimes& sample) {
  const double whole = std::accumulate(sample.whole.begin(), sample.whole.end(), 0.0);
  const double all = std::accumulate(sample.cut.begin(), sample.cut.end(), whole);
  return {all / static_cast<double>(sample.whole.size())};
}
double cdf(const LawParameters& p, double t) { return -std::expm1(-t / p[0]); }
double log_density(const LawParameters& p, double t) { return -std::log(p[0]) - t / p[0]; }
double log_survival(const LawParameters& p, double t) { return -t / p[0]; }
double mean(const LawParameters& p) { return p[0]; }
double draw(const LawParameters& p, Stream& stream) {
  return -p[0] * std::log1p(-stream.uniform());
}

}  // namespace

const LifetimeLaw kExponential{.name = "exponential",
                               .parameters = kParameters,
                               .regular = true,
                               .bootstrap_rounds = 199,
                               .fit = fit_to,
                               .cdf = cdf,
                               .log_density = log_density,
                               .log_survival = log_survival,
                               .mean = mean,
                               .draw = draw};

}  // namespace sim::market
