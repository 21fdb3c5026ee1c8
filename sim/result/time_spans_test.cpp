#include "sim/result/time_spans.h"

#include <gtest/gtest.h>

namespace sim::result {
namespace {

using namespace std::chrono_literals;

Time at(Duration since) { return Time{} + since; }

TEST(TimeSpans, TheEndOfUndecidedTrainingIsLost) {
  TimeSpans spans;
  spans.add(TimeSpans::kUndecided, at(0s), at(10s));
  spans.add(&TimeLedger::checkpoint, at(10s), at(12s));
  spans.add(TimeSpans::kUndecided, at(12s), at(16s));
  EXPECT_EQ(spans.undecided(), 14s);
  spans.decide(6s);
  const TimeLedger sums = spans.sums();
  EXPECT_EQ(sums.train_kept, 8s);
  EXPECT_EQ(sums.train_lost, 6s);
  EXPECT_EQ(spans.take().size(), 4u) << "kept, lost, checkpoint, lost";
}

TEST(TimeSpans, StepsThatAreKeptOneAfterAnotherAreOneSpan) {
  TimeSpans spans;
  for (int step = 0; step < 3; ++step) {
    spans.add(TimeSpans::kUndecided, at(1s * step), at(1s * step + 1s));
    spans.decide(0s);
  }
  const std::vector<TimeSpan> all = spans.take();
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].to, at(3s));
}

TEST(TimeSpans, ReclaimedTimeIsTheLastInItsColumn) {
  TimeSpans spans;
  spans.add(&TimeLedger::migrate, at(0s), at(30s));
  EXPECT_EQ(spans.reclaim(&TimeLedger::migrate, 10s), 10s);
  EXPECT_EQ(spans.reclaim(&TimeLedger::restore, 10s), 0s);
  spans.decide(0s);
  const std::vector<TimeSpan> all = spans.take();
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].to, at(20s));
  EXPECT_EQ(all[1].column, &TimeLedger::train_kept);
}

}  // namespace
}  // namespace sim::result
