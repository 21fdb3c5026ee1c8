// Kadupitiya, Jadhao, Sharma, "Modeling the Temporally Constrained Preemptions of Transient Cloud
// VMs", HPDC'20, equation 1: F(t) = A·(1 − e^(−t/τ1) + e^((t−b)/τ2)). The law has many early ends
// and many ends near a limit. Here F is 0 at 0 and 1 at `longest`, which determines A.
//
// Its density is A·(e^(−t/τ1)/τ1 + e^((t−b)/τ2)/τ2). This is a mixture of an exponential law cut
// off at `longest` and of the same law mirrored; b determines the share. So the likelihood is
// maximised by expectation-maximisation (Dempster, Laird, Rubin 1977). The method needs no step
// size and begins at one fixed point. For a stretch that was cut, its part and its length are
// expected values.
#include <algorithm>
#include <cmath>

#include "sim/laws/lifetime_law.h"
#include "sim/laws/root.h"

namespace sim::laws {
namespace {

constexpr std::array<std::string_view, 4> kBathtubParameters{"tau1", "tau2", "b", "longest"};
constexpr int kMostRounds = 400;
// Bounds of τ, as fractions of `longest`. A late part shorter than a fiftieth of it would describe
// only the longest few stretches.
constexpr double kShortestEarly = 1e-4, kShortestLate = 0.02, kFlattest = 1e2;

// An exponential law with this τ, cut off at `longest`.
double truncated_mean(double tau, double longest) {
  return tau - longest / std::expm1(longest / tau);
}
double truncated_density(double tau, double longest, double t) {
  return std::exp(-t / tau) / (tau * -std::expm1(-longest / tau));
}
double truncated_share(double tau, double longest, double from, double to) {
  return std::exp(-from / tau) * std::expm1((from - to) / tau) / std::expm1(-longest / tau);
}
// The τ with this mean. It grows with the mean, up to half of `longest`.
double tau_of_mean(double mean, double longest, double shortest) {
  return root_of_rising([&](double tau) { return truncated_mean(tau, longest) - mean; },
                        shortest * longest, kFlattest * longest);
}

struct Mixture {
  double longest, early = 0.5, tau1, tau2;

  // The chance that a stretch is of the early part.
  double is_early(const EqualStretches& s) const {
    const double left = longest - s.hours;
    const double a = early * (s.cut ? truncated_share(tau1, longest, s.hours, longest)
                                    : truncated_density(tau1, longest, s.hours));
    const double b = (1 - early) * (s.cut ? truncated_share(tau2, longest, 0, left)
                                          : truncated_density(tau2, longest, left));
    return a + b > 0 ? a / (a + b) : early;
  }
  // Its length if it is of the early part, and how much it lacks of `longest` if it is of the late.
  double length(const EqualStretches& s) const {
    return s.hours + (s.cut ? truncated_mean(tau1, longest - s.hours) : 0);
  }
  double lack(const EqualStretches& s) const {
    return s.cut ? truncated_mean(tau2, longest - s.hours) : longest - s.hours;
  }
};

Mixture improved(const Mixture& m, std::span<const EqualStretches> sample) {
  double n1 = 0, n2 = 0, sum1 = 0, sum2 = 0;
  for (const EqualStretches& s : sample) {
    const double r = m.is_early(s), early = s.count * r, late = s.count * (1 - r);
    n1 += early, sum1 += early * m.length(s);
    n2 += late, sum2 += late * m.lack(s);
  }
  Mixture next = m;
  next.early = std::clamp(n1 / (n1 + n2), 1e-9, 1 - 1e-9);
  if (n1 > 1e-9) next.tau1 = tau_of_mean(sum1 / n1, m.longest, kShortestEarly);
  if (n2 > 1e-9) next.tau2 = tau_of_mean(sum2 / n2, m.longest, kShortestLate);
  return next;
}

LawParameters bathtub_fit_to(const LifetimeSample& sample) {
  // A limit a little beyond the longest seen, by the unbiased estimate of a uniform law's end; at
  // the longest itself the likelihood would have no bound.
  const auto n = static_cast<double>(sample.whole.size() + sample.cut.size());
  const double seen = std::max(sample.whole.back(), sample.cut.empty() ? 0.0 : sample.cut.back());
  const double longest = seen * (n + 1) / n;
  const std::vector<EqualStretches> rows = rows_of(sample);
  Mixture m{.longest = longest, .tau1 = longest / 10, .tau2 = longest / 10};
  for (int i = 0; i < kMostRounds; ++i) {
    const Mixture next = improved(m, rows);
    const double moved = std::abs(next.early - m.early) +
                         (std::abs(next.tau1 - m.tau1) + std::abs(next.tau2 - m.tau2)) / longest;
    m = next;
    if (moved < 1e-9) break;
  }
  const double odds =
      (1 - m.early) / m.early * -std::expm1(-longest / m.tau1) / -std::expm1(-longest / m.tau2);
  return {m.tau1, m.tau2, longest - m.tau2 * std::log(odds), longest};
}

// F without the factor A, shifted so that rise(0) is 0.
double rise(const LawParameters& p, double t) {
  return -std::expm1(-t / p[0]) + std::exp((t - p[2]) / p[1]) - std::exp(-p[2] / p[1]);
}
double bathtub_cdf(const LawParameters& p, double t) {
  return rise(p, std::clamp(t, 0.0, p[3])) / rise(p, p[3]);
}
double bathtub_log_density(const LawParameters& p, double t) {
  return std::log(std::exp(-t / p[0]) / p[0] + std::exp((t - p[2]) / p[1]) / p[1]) -
         std::log(rise(p, p[3]));
}
double bathtub_log_survival(const LawParameters& p, double t) {
  const double early = std::exp(-t / p[0]) * std::expm1((t - p[3]) / p[0]);
  const double late = std::exp((p[3] - p[2]) / p[1]) * std::expm1((t - p[3]) / p[1]);
  return std::log(-early - late) - std::log(rise(p, p[3]));
}
double early_share(const LawParameters& p) { return -std::expm1(-p[3] / p[0]) / rise(p, p[3]); }
double bathtub_mean(const LawParameters& p) {
  const double early = early_share(p);
  return early * truncated_mean(p[0], p[3]) + (1 - early) * (p[3] - truncated_mean(p[1], p[3]));
}
double bathtub_draw(const LawParameters& p, Stream& stream) {
  // The number selects the part first; its remainder is uniform again.
  const double u = stream.uniform(), early = early_share(p);
  const auto truncated = [&](double tau, double share) {
    return -tau * std::log1p(share * std::expm1(-p[3] / tau));
  };
  return u < early ? truncated(p[0], u / early) : p[3] - truncated(p[1], (u - early) / (1 - early));
}

}  // namespace

const LifetimeLaw kBathtub{.name = "bathtub",
                           .parameters = kBathtubParameters,
                           .regular = false,
                           .bootstrap_rounds = 39,
                           .fit = bathtub_fit_to,
                           .cdf = bathtub_cdf,
                           .log_density = bathtub_log_density,
                           .log_survival = bathtub_log_survival,
                           .mean = bathtub_mean,
                           .draw = bathtub_draw};

}  // namespace sim::laws
