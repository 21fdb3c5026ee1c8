#include "sim/market/availability_statistics.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "sim/kernel/check.h"

namespace sim::market {
namespace {

constexpr double kHour = 3600;

struct Stretch {
  bool up;
  double hours;
};

// All of them, neighbours of one kind joined.
std::vector<Stretch> all_stretches(const CapacitySeries& series, std::int64_t instances) {
  std::vector<Stretch> all;
  for (std::size_t i = 0; i < series.steps.size(); ++i) {
    const Time end = i + 1 < series.steps.size() ? series.steps[i + 1].at : series.end;
    const bool up = series.steps[i].instances >= instances;
    const double hours = seconds(end - series.steps[i].at) / kHour;
    if (!all.empty() && all.back().up == up)
      all.back().hours += hours;
    else
      all.push_back({up, hours});
  }
  return all;
}

double mean_of(const std::vector<double>& sample) {
  return std::accumulate(sample.begin(), sample.end(), 0.0) / static_cast<double>(sample.size());
}

// Kolmogorov's limit law, with Stephens' correction for small samples (Stephens 1970).
double kolmogorov_p(double distance, double n) {
  const double x = (std::sqrt(n) + 0.12 + 0.11 / std::sqrt(n)) * distance;
  if (x < 0.2) return 1;
  double p = 0;
  for (int k = 1; k <= 100; ++k) p += (k % 2 ? 2 : -2) * std::exp(-2.0 * k * k * x * x);
  return std::clamp(p, 0.0, 1.0);
}

void judge(Fit& fit, std::vector<double> sample, const std::function<double(double)>& below) {
  std::sort(sample.begin(), sample.end());
  const auto n = static_cast<double>(sample.size());
  for (std::size_t i = 0; i < sample.size(); ++i) {
    const double law = below(sample[i]), rank = static_cast<double>(i);
    fit.distance =
        std::max({fit.distance, std::abs(law - rank / n), std::abs(law - (rank + 1) / n)});
  }
  fit.p = kolmogorov_p(fit.distance, n);
}

}  // namespace

Stretches stretches_of(const CapacitySeries& series, std::int64_t instances) {
  const std::vector<Stretch> all = all_stretches(series, instances);
  Stretches s;
  for (std::size_t i = 1; i + 1 < all.size(); ++i)
    (all[i].up ? s.up : s.down).push_back(all[i].hours);
  return s;
}

AvailabilityStatistics statistics_of(const CapacitySeries& series, std::int64_t instances) {
  const std::vector<Stretch> all = all_stretches(series, instances);
  AvailabilityStatistics s;
  double up = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    s.hours += all[i].hours;
    if (!all[i].up) continue;
    up += all[i].hours;
    s.interruptions += i + 1 < all.size();
  }
  s.available = s.hours > 0 ? up / s.hours : 0;
  if (s.interruptions)
    s.mean_time_between_interruptions = up / static_cast<double>(s.interruptions);
  return s;
}

Fit fit_exponential(const std::vector<double>& sample) {
  SIM_CHECK(sample.size() >= 2);
  Fit fit{.mean = mean_of(sample)};
  judge(fit, sample, [&](double x) { return -std::expm1(-x / fit.mean); });
  return fit;
}

Fit fit_weibull(const std::vector<double>& sample) {
  SIM_CHECK(sample.size() >= 2);
  const auto n = static_cast<double>(sample.size());
  double mean_log = 0;
  for (const double x : sample) mean_log += std::log(x) / n;
  // The likelihood's derivative, Σxᵏ·ln x ÷ Σxᵏ − 1/k − mean ln x, rises in k: halve the bracket.
  const auto slope = [&](double k) {
    double sum = 0, weighted = 0;
    for (const double x : sample) {
      const double power = std::pow(x, k);
      sum += power;
      weighted += power * std::log(x);
    }
    return weighted / sum - 1 / k - mean_log;
  };
  double low = 0.02, high = 50;
  for (int i = 0; i < 60; ++i) (slope((low + high) / 2) < 0 ? low : high) = (low + high) / 2;
  Fit fit{.shape = (low + high) / 2};
  double powers = 0;
  for (const double x : sample) powers += std::pow(x, fit.shape) / n;
  const double scale = std::pow(powers, 1 / fit.shape);
  fit.mean = scale * std::tgamma(1 + 1 / fit.shape);
  judge(fit, sample, [&](double x) { return -std::expm1(-std::pow(x / scale, fit.shape)); });
  return fit;
}

double correlation(const CapacitySeries& a, const CapacitySeries& b, std::int64_t instances,
                   Duration tick) {
  const Time from = std::max(a.steps.front().at, b.steps.front().at), to = std::min(a.end, b.end);
  if (from >= to) return 0;
  const auto x = sample(a, from, to, tick), y = sample(b, from, to, tick);
  double n = 0, sx = 0, sy = 0, both = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const bool up_x = x[i] >= instances, up_y = y[i] >= instances;
    n += 1;
    sx += up_x;
    sy += up_y;
    both += up_x && up_y;
  }
  const double spread = std::sqrt(sx * (n - sx) * sy * (n - sy));
  return spread > 0 ? (n * both - sx * sy) / spread : 0;
}

}  // namespace sim::market
