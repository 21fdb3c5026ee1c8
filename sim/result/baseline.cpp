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

// Of the job, begun as `first` was (its `start` columns) and trained in one go, checkpoints
// included.
Usd cost_of(const Story& story, const std::vector<InstanceTime>& times, const InstanceStory& first,
            const TimeLedger& start, Duration training) {
  Duration teardown{};
  Usd prepare;
  for (std::size_t i = 0; i < times.size(); ++i) {
    teardown = std::max(teardown, times[i].columns.teardown);
    if (story.instances[i].attempt()) continue;
    for (const ChargeLine& line : story.charges) {
      if (line.resource == story.instances[i].id) prepare += line.cost;
    }
  }
  const Duration billed = start.boot + start.migrate + start.restore + training + teardown;
  const Duration before = *first.running_at - story.header.start;
  const Usd hour{story.header.baseline_price->nano * story.header.baseline_instances};
  return market::charge(hour, billed) + prepare + volume_cost(story, before + billed);
}

// Whether SageMaker ran all attempts, and the scenario states no baseline of other instances.
bool is_of_training_jobs(const Story& story) {
  const Header& header = story.header;
  const auto attempts = [](const InstanceStory& instance) { return instance.attempt(); };
  const auto other = [&](const InstanceStory& instance) {
    const bool stated = !header.baseline_type.empty() && header.baseline_type != instance.type;
    return attempts(instance) && (instance.managed_by.empty() || stated);
  };
  const auto hosts_stated = [&](const TrainingJobEnd& job) {
    return header.baseline_instances == 1 || header.baseline_instances == job.hosts;
  };
  return std::ranges::all_of(story.training_jobs, hosts_stated) &&
         std::ranges::any_of(story.instances, attempts) &&
         std::ranges::none_of(story.instances, other);
}

// The cost on demand of what DescribeTrainingJob shows for all jobs: TrainingTimeInSeconds against
// BillableTimeInSeconds.
BaselineCost baseline_of_training_jobs(const Story& story, const Result& result) {
  double trained = 0, billable = 0;
  for (const TrainingJobEnd& job : story.training_jobs) {
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

std::string unfinished(const Story& story, const std::string& why) {
  return story.outcome == "completed" ? why : why + ", and the run did not complete";
}

}  // namespace

BaselineCost baseline_cost(const Story& story, const Result& result,
                           const std::vector<InstanceTime>& times) {
  const Header& header = story.header;
  if (!story.training_jobs.empty() && is_of_training_jobs(story))
    return baseline_of_training_jobs(story, result);
  if (!header.baseline_price) return {.unknown = "the scenario states no baseline"};
  const auto trained = [](const InstanceTime& time) { return time.steps_done > 0; };
  const auto first = std::ranges::find_if(times, trained);
  if (first == times.end()) return {.unknown = unfinished(story, "no trainer reported a step")};
  if (result.steps_total == 0)
    return {.unknown = unfinished(story, "no trainer told how many steps there are")};
  const auto step = step_time(story, times);
  if (!step)
    return {.unknown = "baseline.step_time is not stated, and no step was seen on " +
                       header.baseline_type};
  const auto training = times_steps(*step, result.steps_total);
  if (!training) return {.unknown = "the job would take more than a century"};
  const auto& instance = story.instances[static_cast<std::size_t>(first - times.begin())];
  const auto with = [&](Duration stalls) {
    return cost_of(story, times, instance, first->columns, *training + stalls);
  };
  return {.known = with(checkpoint_stalls(times)),
          .without_checkpoints = with(Duration{}),
          .unknown = {}};
}

}  // namespace sim::run
