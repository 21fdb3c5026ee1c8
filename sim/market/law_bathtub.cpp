// Kadupitiya, Jadhao, Sharma, "Modeling the Temporally Constrained Preemptions of Transient Cloud
// VMs", HPDC'20, equation 1: F(t) = A·(1 − e^(−t/τ1) + e^((t−b)/τ2)), many early ends and many near
// a limit. Here F is 0 at 0 and 1 at `longest`, which settles A.
//
// Its density is A·(e^(−t/τ1)/τ1 + e^((t−b)/τ2)/τ2): a mixture of an exponential law cut off at
// `longest` and of the same law seen from the other end, whose share b decides. So the likelihood
// is maximised by expectation-maximisation (Dempster, Laird, Rubin 1977), which needs no step size
// and begins at one fixed point.
#include <algorithm>
#include <cmath>

#include "sim/market/lifetime_law.h"

namespace sim::market {
namespace {

constexpr std::array<std::string_view, 4> kParameters{"tau1", "tau2", "b", "longest"};
constexpr int kMostRounds = 400;
// Bounds of τ, in parts of `longest`. A late part shorter than a fiftieth of it would be one for
// the longest few stretches alone.
constexpr double kShortestEarly = 1e-4, kShortestLate = 0.02, kFlattest = 1e2;

// An exponential law with this τ, cut off at `longest`.
double truncated_mean(double tau, double longest) {
  return tau - longest / std::expm1(longest / tau);
}
double truncated_density(double tau, double longest, double t) {
  return std::exp(-t / tau) / (tau * -std::expm1(-longest / tau));
}
// The τ with this mean, which grows with τ up to half of `longest`.
double tau_of_mean(double mean, double longest, double shortest) {
  double low = shortest * longest, high = kFlattest * longest;
  for (int i = 0; i < 60; ++i) {
    const double middle = std::sqrt(low * high);
    (truncated_mean(middle, longest) < mean ? low : high) = middle;
  }
  return std::sqrt(low * high);
}

struct Mixture {
  double longest, early = 0.5, tau1, tau2;

  // The chance that a stretch of t hours is of the early part.
  double is_early(double t) const {
    const double a = early * truncated_density(tau1, longest, t);
    const double b = (1 - early) * truncated_density(tau2, longest, longest - t);
    return a + b > 0 ? a / (a + b) : early;
  }
};

Mixture improved(const Mixture& m, std::span<const double> sample) {
  double n1 = 0, n2 = 0, sum1 = 0, sum2 = 0;
  for (const double t : sample) {
    const double r = m.is_early(t);
    n1 += r, sum1 += r * t;
    n2 += 1 - r, sum2 += (1 - r) * (m.longest - t);
  }
  Mixture next = m;
  next.early = std::clamp(n1 / (n1 + n2), 1e-9, 1 - 1e-9);
  if (n1 > 1e-9) next.tau1 = tau_of_mean(sum1 / n1, m.longest, kShortestEarly);
  if (n2 > 1e-9) next.tau2 = tau_of_mean(sum2 / n2, m.longest, kShortestLate);
  return next;
}

LawParameters fit_to(std::span<const double> sample) {
  // A limit a little beyond the longest seen, by the unbiased estimate of a uniform law's end; at
  // the longest itself the likelihood would have no bound.
  const auto n = static_cast<double>(sample.size());
  const double longest = sample.back() * (n + 1) / n;
  Mixture m{.longest = longest, .tau1 = longest / 10, .tau2 = longest / 10};
  for (int i = 0; i < kMostRounds; ++i) {
    const Mixture next = improved(m, sample);
    const double moved = std::abs(next.early - m.early) +
                         (std::abs(next.tau1 - m.tau1) + std::abs(next.tau2 - m.tau2)) / longest;
    m = next;
    if (moved < 1e-9) break;
  }
  const double odds =
      (1 - m.early) / m.early * -std::expm1(-longest / m.tau1) / -std::expm1(-longest / m.tau2);
  return {m.tau1, m.tau2, longest - m.tau2 * std::log(odds), longest};
}

// F without A, moved so that it is 0 at 0.
double rise(const LawParameters& p, double t) {
  return -std::expm1(-t / p[0]) + std::exp((t - p[2]) / p[1]) - std::exp(-p[2] / p[1]);
}
double cdf(const LawParameters& p, double t) {
  return rise(p, std::clamp(t, 0.0, p[3])) / rise(p, p[3]);
}
double log_density(const LawParameters& p, double t) {
  return std::log(std::exp(-t / p[0]) / p[0] + std::exp((t - p[2]) / p[1]) / p[1]) -
         std::log(rise(p, p[3]));
}
double mean(const LawParameters& p) {
  const double early = -std::expm1(-p[3] / p[0]) / rise(p, p[3]);
  return early * truncated_mean(p[0], p[3]) + (1 - early) * (p[3] - truncated_mean(p[1], p[3]));
}
double draw(const LawParameters& p, Stream& stream) {
  const double u = stream.uniform();
  double low = 0, high = p[3];
  for (int i = 0; i < 50; ++i) (cdf(p, (low + high) / 2) < u ? low : high) = (low + high) / 2;
  return (low + high) / 2;
}

}  // namespace

const LifetimeLaw kBathtub{"bathtub", kParameters, fit_to, cdf, log_density, mean, draw};

}  // namespace sim::market
