// Without memory: F(t) = 1 − e^(−t/mean).
#include <cmath>
#include <numeric>

#include "sim/market/lifetime_law.h"

namespace sim::market {
namespace {

constexpr std::array<std::string_view, 1> kParameters{"mean"};

LawParameters fit_to(std::span<const double> sample) {
  return {std::accumulate(sample.begin(), sample.end(), 0.0) / static_cast<double>(sample.size())};
}
double cdf(const LawParameters& p, double t) { return -std::expm1(-t / p[0]); }
double log_density(const LawParameters& p, double t) { return -std::log(p[0]) - t / p[0]; }
double mean(const LawParameters& p) { return p[0]; }
double draw(const LawParameters& p, Stream& stream) {
  return -p[0] * std::log1p(-stream.uniform());
}

}  // namespace

const LifetimeLaw kExponential{"exponential", kParameters, fit_to, cdf, log_density, mean, draw};

}  // namespace sim::market
