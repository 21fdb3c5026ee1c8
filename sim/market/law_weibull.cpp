// F(t) = 1 − e^(−(t/scale)^shape): a shape below 1 dies early, above 1 wears out.
#include <cmath>

#include "sim/market/lifetime_law.h"

namespace sim::market {
namespace {

constexpr std::array<std::string_view, 2> kParameters{"scale", "shape"};

LawParameters fit_to(std::span<const double> sample) {
  const auto n = static_cast<double>(sample.size());
  double mean_log = 0;
  for (const double x : sample) mean_log += std::log(x) / n;
  // The likelihood's derivative, Σxᵏ·ln x ÷ Σxᵏ − 1/k − mean ln x, rises in k: halve the bracket.
  // Divided by the largest value, powers cannot overflow.
  const double longest = sample.back();
  const auto slope = [&](double k) {
    double sum = 0, weighted = 0;
    for (const double x : sample) {
      const double power = std::pow(x / longest, k);
      sum += power;
      weighted += power * std::log(x);
    }
    return weighted / sum - 1 / k - mean_log;
  };
  double low = 0.02, high = 50;
  for (int i = 0; i < 60; ++i) (slope((low + high) / 2) < 0 ? low : high) = (low + high) / 2;
  const double shape = (low + high) / 2;
  double powers = 0;
  for (const double x : sample) powers += std::pow(x / longest, shape) / n;
  return {longest * std::pow(powers, 1 / shape), shape};
}

double cdf(const LawParameters& p, double t) { return -std::expm1(-std::pow(t / p[0], p[1])); }
double log_density(const LawParameters& p, double t) {
  return std::log(p[1] / p[0]) + (p[1] - 1) * std::log(t / p[0]) - std::pow(t / p[0], p[1]);
}
double mean(const LawParameters& p) { return p[0] * std::tgamma(1 + 1 / p[1]); }
double draw(const LawParameters& p, Stream& stream) {
  return p[0] * std::pow(-std::log1p(-stream.uniform()), 1 / p[1]);
}

}  // namespace

const LifetimeLaw kWeibull{"weibull", kParameters, fit_to, cdf, log_density, mean, draw};

}  // namespace sim::market
