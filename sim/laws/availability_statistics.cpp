#include "sim/laws/availability_statistics.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace sim::laws {
namespace {

constexpr double kHour = 3600;

struct Stretch {
  bool up;
  double hours;
};

// All stretches; adjacent stretches of one kind are joined.
std::vector<Stretch> all_stretches(const traces::CapacitySeries& series, std::int64_t instances) {
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
  const double sum = std::accumulate(sample.begin(), sample.end(), 0.0);
  return sample.empty() ? 0 : sum / static_cast<double>(sample.size());
}

}  // namespace

Stretches stretches_of(const traces::CapacitySeries& series, std::int64_t instances) {
  const std::vector<Stretch> all = all_stretches(series, instances);
  Stretches s;
  s.up.tick = s.down.tick = seconds(traces::common_tick(series)) / kHour;
  for (std::size_t i = 0; i < all.size(); ++i) {
    LifetimeSample& lifetimes = all[i].up ? s.up : s.down;
    const bool cut = i == 0 || i + 1 == all.size();
    (cut ? lifetimes.cut : lifetimes.whole).push_back(all[i].hours);
  }
  return s;
}

AvailabilityStatistics statistics_of(const traces::CapacitySeries& series, std::int64_t instances) {
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
  const Stretches stretches = stretches_of(series, instances);
  s.mean_up = mean_of(stretches.up.whole);
  s.mean_down = mean_of(stretches.down.whole);
  return s;
}

std::optional<double> correlation(const traces::CapacitySeries& a, const traces::CapacitySeries& b,
                                  std::int64_t instances, Duration tick) {
  const Time from = std::max(a.steps.front().at, b.steps.front().at), to = std::min(a.end, b.end);
  if (from >= to) return std::nullopt;
  const auto x = traces::sample(a, from, to, tick), y = traces::sample(b, from, to, tick);
  double n = 0, sx = 0, sy = 0, both = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const bool up_x = x[i] >= instances, up_y = y[i] >= instances;
    n += 1;
    sx += up_x;
    sy += up_y;
    both += up_x && up_y;
  }
  const double spread = std::sqrt(sx * (n - sx) * sy * (n - sy));
  return spread > 0 ? std::optional((n * both - sx * sy) / spread) : std::nullopt;
}

}  // namespace sim::laws
