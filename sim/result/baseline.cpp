#include "sim/result/baseline.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace sim::run {
namespace {

std::optional<Duration> step_time(const Story& story, const std::vector<InstanceTime>& times) {
  const std::string& type = story.header.baseline_type;
  const auto stated = story.header.step_seconds.find(type);
  if (stated != story.header.step_seconds.end()) return from_seconds(stated->second);
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (story.instances[i].type == type && times[i].step_time > Duration{}) {
      return times[i].step_time;
    }
  }
  return std::nullopt;
}

// Stalls of the checkpoints that an uninterrupted run would take too: one for each step that was
// ever saved, without those that a notice caused.
Duration checkpoint_stalls(const std::vector<InstanceTime>& times) {
  std::map<std::int64_t, Duration> by_step;
  for (const InstanceTime& time : times) {
    for (const Checkpoint& checkpoint : time.durable) {
      if (checkpoint.reason.find("notice") == std::string::npos) {
        by_step[checkpoint.step] = checkpoint.stall;
      }
    }
  }
  Duration sum{};
  for (const auto& [step, stall] : by_step) sum += stall;
  return sum;
}

// What the job's volume costs for a time: the charged volumes' mean price a second.
Usd volume_cost(const Story& story, Duration time) {
  double cost = 0, charged = 0;
  for (const ChargeLine& line : story.charges) {
    if (line.kind != "volumes") continue;
    const auto name = story.names.find(line.resource);
    const std::string tag = name == story.names.end() ? "" : name->second;
    if (!story.header.job_volume_tag.empty() && tag != story.header.job_volume_tag) continue;
    cost += static_cast<double>(line.cost.nano);
    charged += seconds(line.to - line.from);
  }
  if (charged <= 0) return {};
  return {static_cast<std::int64_t>(std::llround(cost / charged * seconds(time)))};
}

// Nothing when it would take more than a century: a trainer may say any number.
std::optional<Duration> times_steps(Duration step, std::int64_t steps) {
  constexpr double kCentury = 100.0 * 365 * 86400;
  if (seconds(step) * static_cast<double>(steps) > kCentury) return std::nullopt;
  return step * steps;
}

}  // namespace

std::optional<Usd> baseline_cost(const Story& story, const Result& result,
                                 const std::vector<InstanceTime>& times) {
  const auto step = step_time(story, times);
  const auto trains = [&](std::size_t i) { return times[i].steps_done > 0; };
  std::size_t first = 0;
  while (first < times.size() && !trains(first)) ++first;
  if (!story.header.baseline_price || !step || first == times.size() || result.steps_total == 0) {
    return std::nullopt;
  }
  const auto training = times_steps(*step, result.steps_total);
  if (!training) return std::nullopt;

  const TimeLedger& start = times[first].columns;
  Duration teardown{};
  Usd prepare;
  for (std::size_t i = 0; i < times.size(); ++i) {
    teardown = std::max(teardown, times[i].columns.teardown);
    if (story.instances[i].attempt()) continue;
    for (const ChargeLine& line : story.charges) {
      if (line.resource == story.instances[i].id) prepare += line.cost;
    }
  }
  const Duration billed =
      start.boot + start.migrate + start.restore + *training + checkpoint_stalls(times) + teardown;
  const Duration before = *story.instances[first].running_at - story.header.start;
  return market::charge(*story.header.baseline_price, billed) + prepare +
         volume_cost(story, before + billed);
}

}  // namespace sim::run
