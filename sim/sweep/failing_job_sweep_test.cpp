#include "sim/sweep/failing_job_sweep.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "policies/checkpoint/interval.h"
#include "sim/sweep/run_all_for_test.h"
#include "sim/sweep/statistics.h"

namespace sim::sweep {
namespace {

constexpr ticks::FailingJob kFailingJob{
    .work = 500h, .interval = {}, .checkpoint = 5min, .restart = 10min, .mean = 6h};

FailingJobPlan plan(std::vector<std::uint64_t> seeds) {
  ticks::FailingJob often = kFailingJob;
  often.mean = 15min;
  return {.settings = {kFailingJob, often},
          .intervals = {Interval("exact"), Interval("exact*0.5"), Interval("exact*2")},
          .seeds = std::move(seeds),
          .price = {2'000'000'000}};
}

TEST(Interval, IsADurationOrAFormulasWithAFactor) {
  EXPECT_EQ(Interval("45m").of(kFailingJob), 45min);
  EXPECT_NEAR(seconds(Interval("young").of(kFailingJob)), policies::young_interval(300, 21600),
              1e-3);
  EXPECT_NEAR(seconds(Interval("daly-1").of(kFailingJob)), 3300, 1e-3);
  EXPECT_NEAR(seconds(Interval("daly").of(kFailingJob)), 57 * 60, 60);  // published
  EXPECT_NEAR(seconds(Interval("exact*0.5").of(kFailingJob)),
              policies::exact_interval(300, 21600) / 2, 1e-3);
  ticks::FailingJob free = kFailingJob;
  free.checkpoint = {};
  EXPECT_EQ(Interval("young").of(free), 1s);  // never zero
  for (const char* text : {"", "0s", "-1m", "45", "exac", "exact*", "exact*0", "exact*x",
                           "exact*1e9", "45m*2", "*2", "exact*2*2"})
    EXPECT_THROW(Interval{text}, std::invalid_argument) << text;
}

TEST(FailingJobSweep, InOneCaseInterruptionsStrikeAllVariantsAlike) {
  const FailingJobSweep sweep(plan({1, 2}));
  const Rows rows = run_all(sweep);
  ASSERT_EQ(rows.size(), 12u);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::int64_t run = rows.run(i);
    ticks::FailingJob job = kFailingJob;
    if (sweep.grid().setting_of(run) == 1) job.mean = 15min;
    const char* const texts[] = {"exact", "exact*0.5", "exact*2"};
    job.interval = Interval(texts[sweep.grid().variant_of(run)]).of(job);
    const auto seed = static_cast<std::uint64_t>(1 + sweep.grid().case_of(run));
    Stream stream = Streams(seed).stream("failing-job", format_duration(job.mean));
    const auto row = rows.measures(i);
    EXPECT_NEAR(static_cast<double>(row[kMakespan]) / 1e9, ticks::draw_seconds(job, stream), 1e-3);
    EXPECT_NEAR(shown(Unit::kUsd, row[kCost]), 2 * shown(Unit::kHours, row[kMakespan]), 1e-6);
  }
}

// With 500 hours of work. The published expectation ignores that the last interval is shorter.
TEST(FailingJobSweep, ExpectedTimesAreThePublishedOnes) {
  ticks::FailingJob job = kFailingJob;
  for (const auto& [mean, hours] :
       {std::pair{Duration(24h), 547.88}, {Duration(6h), 610.22}, {Duration(15min), 2504.17}}) {
    job.mean = mean;
    job.interval = Interval("daly").of(job);
    EXPECT_NEAR(expected_seconds(job) / 3600, hours, 0.08);
  }
  job.interval = 20h;  // 25 of them
  EXPECT_NEAR(expected_seconds(job), policies::expected_time(500 * 3600, 20 * 3600, 300, 900, 600),
              1e-3);
}

TEST(FailingJobSweep, FingerprintIsOfThePlan) {
  const std::string base = FailingJobSweep(plan({1, 2})).fingerprint().hash;
  EXPECT_EQ(FailingJobSweep(plan({1, 2})).fingerprint().hash, base);
  EXPECT_NE(FailingJobSweep(plan({1, 3})).fingerprint().hash, base);
  FailingJobPlan dearer = plan({1, 2});
  dearer.price.nano += 1;
  EXPECT_NE(FailingJobSweep(dearer).fingerprint().hash, base);
}

}  // namespace
}  // namespace sim::sweep
