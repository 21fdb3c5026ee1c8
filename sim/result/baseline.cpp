#include "sim/result/baseline.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace sim::result {
namespace {

std::optional<Duration> step_time(const History& history, const std::vector<InstanceTime>& times) {
  const std::string& type = history.header.baseline_type;
  const auto stated = history.header.step_seconds.find(type);
  if (stated != history.header.step_seconds.end()) return from_seconds(stated->second);
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (history.instances[i].type == type && times[i].step_time > Duration{}) {
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
Usd volume_cost(const History& history, Duration time) {
  double cost = 0, charged = 0;
  for (const ChargeLine& line : history.charges) {
    if (line.kind != "volumes") continue;
    const std::string& tag = history.header.job_volume_tag;
    if (!tag.empty() && history.name_of(line.resource) != tag) continue;
    cost += static_cast<double>(line.cost.nano);
    charged += seconds(line.to - line.from);
  }
  if (charged <= 0) return {};
  return {static_cast<std::int64_t>(std::llround(cost / charged * seconds(time)))};
}

// Empty when the steps would take more than a century, because a trainer may report any number.
std::optional<Duration> times_steps(Duration step, std::int64_t steps) {
  constexpr double kCentury = 100.0 * 365 * 86400;
  if (seconds(step) * static_cast<double>(steps) > kCentury) return std::nullopt;
  return step * steps;
}

// The cost of the job in one attempt that starts like `first` (its `start` columns) and trains
// without interruption, checkpoints included.
Usd cost_of(const History& history, const std::vector<InstanceTime>& times,
            const History::Instance& first, const TimeLedger& start, Duration training) {
  Duration teardown{};
  Usd prepare;
  for (std::size_t i = 0; i < times.size(); ++i) {
    teardown = std::max(teardown, times[i].columns.teardown);
    if (history.instances[i].attempt()) continue;
    for (const ChargeLine& line : history.charges) {
      if (line.resource == history.instances[i].id) prepare += line.cost;
    }
  }
  const Duration billed = start.boot + start.migrate + start.restore + training + teardown;
  const Duration before = *first.running_at - history.header.start;
  const Usd hour{history.header.baseline_price->nano * history.header.baseline_instances};
  return market::charge(hour, billed) + prepare + volume_cost(history, before + billed);
}

// True if SageMaker ran all attempts and the scenario does not state a baseline of other instances.
bool is_of_training_jobs(const History& history) {
  const Header& header = history.header;
  const auto attempts = [](const History::Instance& instance) { return instance.attempt(); };
  const auto other = [&](const History::Instance& instance) {
    const bool stated = !header.baseline_type.empty() && header.baseline_type != instance.type;
    return attempts(instance) && (instance.managed_by.empty() || stated);
  };
  const auto hosts_stated = [&](const TrainingJobEnd& job) {
    return header.baseline_instances == 1 || header.baseline_instances == job.hosts;
  };
  return std::ranges::all_of(history.training_jobs, hosts_stated) &&
         std::ranges::any_of(history.instances, attempts) &&
         std::ranges::none_of(history.instances, other);
}

// The on-demand cost according to DescribeTrainingJob: TrainingTimeInSeconds of all jobs, where the
// bill has BillableTimeInSeconds.
BaselineCost baseline_of_training_jobs(const History& history, const Result& result) {
  double trained = 0, billable = 0;
  for (const TrainingJobEnd& job : history.training_jobs) {
    trained += std::round(job.training_seconds) * static_cast<double>(job.hosts);
    billable += std::round(job.billable_seconds) * static_cast<double>(job.hosts);
  }
  if (trained <= 0) return {.unknown = "no training job has trained"};
  BaselineCost same{.savings = 1 - billable / trained};
  if (billable > 0) {
    const double cost = static_cast<double>(result.money.instances.nano) * trained / billable;
    same.known = Usd{static_cast<std::int64_t>(std::llround(cost))};
  }
  return same;
}

std::string unfinished(const History& history, const std::string& why) {
  return history.outcome == "completed" ? why : why + ", and the run did not complete";
}

}  // namespace

BaselineCost baseline_cost(const History& history, const Result& result,
                           const std::vector<InstanceTime>& times) {
  const Header& header = history.header;
  if (!history.training_jobs.empty() && is_of_training_jobs(history))
    return baseline_of_training_jobs(history, result);
  if (!header.baseline_price) return {.unknown = "the scenario states no baseline"};
  const auto trained = [](const InstanceTime& time) { return time.steps_done > 0; };
  const auto first = std::ranges::find_if(times, trained);
  if (first == times.end()) return {.unknown = unfinished(history, "no trainer reported a step")};
  if (result.steps_total == 0)
    return {.unknown = unfinished(history, "no trainer reported the number of steps")};
  const auto step = step_time(history, times);
  if (!step)
    return {.unknown = "baseline.step_time is not stated, and no step was seen on " +
                       header.baseline_type};
  const auto training = times_steps(*step, result.steps_total);
  if (!training) return {.unknown = "the job would take more than a century"};
  const auto& instance = history.instances[static_cast<std::size_t>(first - times.begin())];
  const auto with = [&](Duration stalls) {
    return cost_of(history, times, instance, until_first_pause(instance, *first),
                   *training + stalls);
  };
  return {.known = with(checkpoint_stalls(times)),
          .without_checkpoints = with(Duration{}),
          .unknown = {}};
}

}  // namespace sim::result
