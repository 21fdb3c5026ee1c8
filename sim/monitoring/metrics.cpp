#include "sim/monitoring/metrics.h"

#include <algorithm>
#include <set>

namespace sim::monitoring {
namespace {

constexpr Duration kDay = std::chrono::hours(24);

// How long CloudWatch keeps values of a resolution.
Duration kept(Duration period) {
  if (period < std::chrono::minutes(1)) return std::chrono::hours(3);
  if (period < std::chrono::minutes(5)) return 15 * kDay;
  if (period < std::chrono::hours(1)) return 63 * kDay;
  return 455 * kDay;
}

Time rounded(const Datum& datum) {
  const auto since = datum.at.time_since_epoch();
  if (datum.by_the_second) return Time(std::chrono::floor<std::chrono::seconds>(since));
  return Time(std::chrono::floor<std::chrono::minutes>(since));
}

}  // namespace

void Metrics::put(const Metric& metric, const Datum& datum) {
  Series& series = all_[metric];
  series.by_unit[datum.unit][rounded(datum)].add(datum.summary);
  series.newest = std::max(series.newest, datum.at);
}

std::vector<Metric> Metrics::list(bool recently_active) const {
  const Time oldest =
      simulation_.now() - (recently_active ? Duration(std::chrono::hours(3)) : 14 * kDay);
  std::set<Metric> found;
  for (const auto& [metric, series] : all_)
    if (series.newest >= oldest) found.insert(metric);
  for (const Metric& metric : own_.since(oldest)) found.insert(metric);
  return {found.begin(), found.end()};
}

bool Metrics::can_have_data(const Metric& metric) const {
  return !metric.space.starts_with("AWS/") || !own_.unit(metric).empty();
}

std::vector<Datapoint> Metrics::datapoints(const Question& question) const {
  std::vector<Datapoint> found;
  const Time oldest = simulation_.now() - kept(question.period);
  const auto series = all_.find(question.metric);
  const std::string own_unit = own_.unit(question.metric);
  const auto is_asked = [&](const std::string& unit) {
    return question.unit.empty() || question.unit == unit;
  };
  Time begin = question.from;
  if (begin < oldest)
    begin += (oldest - begin + question.period - Duration(1)) / question.period * question.period;
  for (Time at = begin; at < question.to; at += question.period) {
    const Time end = std::min(at + question.period, question.to);
    if (!own_unit.empty() && is_asked(own_unit)) {
      Summary own = own_.between(question.metric, at, end);
      if (!own.empty()) found.push_back({at, own_unit, std::move(own)});
    }
    if (series == all_.end()) continue;
    for (const auto& [unit, values] : series->second.by_unit) {
      if (!is_asked(unit)) continue;
      Summary sum;
      for (auto it = values.lower_bound(at); it != values.end() && it->first < end; ++it)
        sum.add(it->second);
      if (!sum.empty()) found.push_back({at, unit, std::move(sum)});
    }
  }
  return found;
}

}  // namespace sim::monitoring
