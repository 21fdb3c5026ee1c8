#include "sim/sweep/failing_job_sweep.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <stdexcept>

#include "policies/checkpoint/interval.h"

namespace sim::sweep {
namespace {

constexpr int kFailingJobVersion = 1;  // of the model; a change invalidates old rows

struct Formula {
  const char* name;
  double (*interval)(double d, double M);
};
constexpr std::array<Formula, 4> kFormulas{{{"young", policies::young_interval},
                                            {"daly-1", policies::daly_first_order_interval},
                                            {"daly", policies::daly_interval},
                                            {"exact", policies::exact_interval}}};

double (*formula_named(std::string_view name))(double, double) {
  const auto found = std::find_if(kFormulas.begin(), kFormulas.end(),
                                  [&](const Formula& f) { return name == f.name; });
  return found == kFormulas.end() ? nullptr : found->interval;
}

std::optional<double> parse_factor(std::string_view text) {
  double factor = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, factor);
  if (text.empty() || error != std::errc{} || stop != end) return {};
  return factor >= 0.001 && factor <= 1000 ? std::optional(factor) : std::nullopt;
}

// Rounds to milliseconds, because two maths libraries may differ in the last bit.
Duration rounded(double s) { return std::chrono::milliseconds(std::llround(s * 1000)); }

// The measures after the common ones.
enum OwnMeasure : std::size_t { kInterval = kMakespan + 1, kExpected };

std::string describe(const ticks::FailingJob& job) {
  return fmt::format("work={} checkpoint={} restart={} mean={}", format_duration(job.work),
                     format_duration(job.checkpoint), format_duration(job.restart),
                     format_duration(job.mean));
}

}  // namespace

Interval::Interval(std::string text) : text_(std::move(text)) {
  const std::size_t star = std::min(text_.find('*'), text_.size());
  formula_ = formula_named(std::string_view(text_).substr(0, star));
  const auto fixed = formula_ ? std::nullopt : parse_duration(text_);
  if (fixed) fixed_ = *fixed;
  const auto factor = star == text_.size() ? std::optional(1.0)
                                           : parse_factor(std::string_view(text_).substr(star + 1));
  if (factor) factor_ = *factor;
  if (formula_ ? !factor : fixed_ <= Duration::zero()) {
    throw std::invalid_argument(fmt::format(
        "found \"{}\", expected a duration above 0 such as 45m, or young, daly-1, daly or exact, "
        "perhaps times a number from 0.001 to 1000, such as exact*0.5",
        text_));
  }
}

Duration Interval::of(const ticks::FailingJob& job) const {
  if (!formula_) return fixed_;
  const double best = formula_(seconds(job.checkpoint), seconds(job.mean));
  return std::max(rounded(factor_ * best), Duration(1s));
}

double expected_seconds(const ticks::FailingJob& job) {
  const std::int64_t whole = job.work / job.interval;
  const Duration rest = job.work % job.interval;
  const auto expected = [&](Duration work, Duration interval) {
    if (work == Duration::zero()) return 0.0;
    return policies::expected_time(seconds(work), seconds(interval), seconds(job.checkpoint),
                                   seconds(job.mean), seconds(job.restart));
  };
  return expected(whole * job.interval, job.interval) + expected(rest, rest);
}

FailingJobSweep::FailingJobSweep(FailingJobPlan plan) : plan_(std::move(plan)) {
  grid_.settings.columns = {"setting"};
  for (const ticks::FailingJob& job : plan_.settings)
    grid_.settings.points.push_back({describe(job)});
  grid_.cases.columns = {"seed"};
  for (const std::uint64_t seed : plan_.seeds) grid_.cases.points.push_back({std::to_string(seed)});
  grid_.variants.columns = {"interval"};
  for (const Interval& interval : plan_.intervals)
    grid_.variants.points.push_back({interval.text()});
  grid_.measures = common_measures();
  constexpr auto kMean = Measure::Summary::kMean;
  grid_.measures.push_back({"computed_between", Unit::kHours, kMean, true});
  grid_.measures.push_back({"expected_makespan", Unit::kHours, kMean, true});
  grid_.expected_makespan = kExpected;
  grid_.interval = kInterval;
  for (const ticks::FailingJob& job : plan_.settings)
    for (const Interval& interval : plan_.intervals)
      grid_.run_policies.push_back(
          {.saves = "time:" +
                    format_duration(std::chrono::round<std::chrono::seconds>(interval.of(job)))});
  for (const ticks::FailingJob& job : plan_.settings)
    grid_.best_interval_h.push_back(
        policies::exact_interval(seconds(job.checkpoint), seconds(job.mean)) / 3600);
}

ticks::FailingJob FailingJobSweep::job(std::int64_t run) const {
  ticks::FailingJob job = plan_.settings[static_cast<std::size_t>(grid_.setting_of(run))];
  job.interval = plan_.intervals[static_cast<std::size_t>(grid_.variant_of(run))].of(job);
  return job;
}

Rows FailingJobSweep::run(std::span<const std::int64_t> blocks) const {
  Rows rows(grid_.measures.size());
  for (const std::int64_t run : blocks) {
    const ticks::FailingJob job = this->job(run);
    const Streams streams(plan_.seeds[static_cast<std::size_t>(grid_.case_of(run))]);
    Stream stream = streams.stream("failing-job", format_duration(job.mean));
    const Duration makespan = rounded(ticks::draw_seconds(job, stream));
    const auto row = rows.add(run);
    row[kFinished] = 1;
    row[kCost] = market::charge(plan_.price, makespan).nano;
    row[kMakespan] = makespan.count();
    row[kInterval] = job.interval.count();
    row[kExpected] = rounded(expected_seconds(job)).count();
  }
  return rows;
}

Fingerprint FailingJobSweep::make_fingerprint() const {
  std::string all = fmt::format("failing-job {} {}", kFailingJobVersion, plan_.price.nano);
  for (const ticks::FailingJob& job : plan_.settings) all += "\n" + describe(job);
  for (const Interval& interval : plan_.intervals) all += "\n" + interval.text();
  for (const std::uint64_t seed : plan_.seeds) all += "\n" + std::to_string(seed);
  return {fmt::format("{:016x}", XXH3_64bits(all.data(), all.size())), Rows(grid_.measures.size())};
}

}  // namespace sim::sweep
