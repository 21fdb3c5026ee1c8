// `failing_job: {…}`: a sweep of intervals between checkpoints.
#include <fmt/format.h>

#include "sim/sweep/failing_job_sweep.h"
#include "sim/sweep/file/sweep_file_parts.h"

namespace sim::sweep {
namespace {

// The limit keeps a run well under a second and its time within the type.
constexpr double kMostPieces = 1e6;  // and interruptions, expected
constexpr Duration kLongestJob = std::chrono::hours(24 * 365 * 10);

struct ListedInterval {
  Interval interval;
  scenario::Value value;
};

std::vector<ListedInterval> read_intervals(scenario::Fields& fields) {
  std::vector<ListedInterval> all;
  const std::string expected = "a list of intervals such as [exact, exact*2, daly, 45m]";
  const auto field = fields.require("intervals", expected);
  if (!field) return all;
  std::set<std::string> seen;
  for (const scenario::Value& value : field->list(expected)) {
    const auto text = value.text("an interval such as exact*0.5 or 45m");
    if (!text) continue;
    if (!seen.insert(*text).second) value.fail("each interval once");
    try {
      all.push_back({Interval(*text), value});
    } catch (const std::invalid_argument& error) {
      value.reject(error.what());
    }
  }
  if (field->is_list() && field->node().size() == 0) field->fail(expected);
  return all;
}

void check(ticks::FailingJob job, const ListedInterval& listed) {
  job.interval = listed.interval.of(job);
  const double expected = sweep::expected_seconds(job);
  const double pieces = seconds(job.work) / seconds(job.interval) + expected / seconds(job.mean);
  if (pieces <= kMostPieces && expected <= seconds(kLongestJob)) return;
  listed.value.reject(fmt::format(
      "found {}, with which {} of work take {:.3g} hours and {:.3g} checkpoints and interruptions "
      "when these come every {}, expected at most ten years and {:.0f}",
      format_duration(job.interval), format_duration(job.work), expected / 3600, pieces,
      format_duration(job.mean), kMostPieces));
}

}  // namespace

std::unique_ptr<Sweep> read_failing_job_sweep(const scenario::Value& job,
                                              scenario::Fields& fields) {
  FailingJobPlan plan;
  plan.seeds = read_seeds(fields);
  if (plan.seeds.empty()) plan.seeds = {1};
  scenario::Fields keys(job);
  const auto works = durations(keys, "work", 1s, "500h");
  const auto checkpoints = durations(keys, "checkpoint", Duration::zero(), "5m");
  const auto restarts = durations(keys, "restart", Duration::zero(), "10m");
  const auto means = durations(keys, "mean", 1s, "6h");
  const auto price = keys.require("price", "US dollars an hour such as 3.06");
  plan.price = price ? positive_price(*price) : market::Usd{1};
  const auto intervals = read_intervals(keys);
  keys.finish();
  if (!few_enough(
          job, {works.size(), means.size(), checkpoints.size(), restarts.size(), intervals.size()}))
    return nullptr;
  for (const Duration work : works)
    for (const Duration mean : means)
      for (const Duration checkpoint : checkpoints)
        for (const Duration restart : restarts)
          plan.settings.push_back(
              {.work = work, .checkpoint = checkpoint, .restart = restart, .mean = mean});
  for (const ListedInterval& listed : intervals) {
    for (const ticks::FailingJob& setting : plan.settings) check(setting, listed);
    plan.intervals.push_back(listed.interval);
  }
  if (!job.errors().empty()) return nullptr;
  return std::make_unique<FailingJobSweep>(std::move(plan));
}

}  // namespace sim::sweep
