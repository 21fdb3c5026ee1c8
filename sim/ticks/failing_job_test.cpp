#include "sim/ticks/failing_job.h"

#include <gtest/gtest.h>

#include <cmath>

#include "policies/checkpoint/interval.h"

namespace sim::ticks {
namespace {

struct Mean {
  double mean, error;  // and its standard error
};

Mean mean_of(const FailingJob& job, int runs, Stream stream) {
  double sum = 0, squares = 0;
  for (int i = 0; i < runs; ++i) {
    const double t = draw_seconds(job, stream);
    sum += t;
    squares += t * t;
  }
  const double mean = sum / runs;
  return {mean, std::sqrt((squares / runs - mean * mean) / (runs - 1))};
}

// Three mean times between interruptions, each with six intervals around the best one.
TEST(FailingJob, TakesTheExpectedTimeAtEighteenPoints) {
  for (const Duration mean : {Duration(24h), Duration(6h), Duration(15min)}) {
    const double best = policies::exact_interval(300, seconds(mean));
    for (const double factor : {0.25, 0.5, 0.8, 1.0, 1.5, 3.0}) {
      const Duration interval = from_seconds(factor * best);
      const FailingJob job{.work = 40 * interval,
                           .interval = interval,
                           .checkpoint = 5min,
                           .restart = 10min,
                           .mean = mean};
      const double expected =
          policies::expected_time(seconds(job.work), seconds(interval), 300, seconds(mean), 600);
      const Mean drawn =
          mean_of(job, 3000, Streams(7).stream("failing-job", std::to_string(factor)));
      EXPECT_NEAR(drawn.mean, expected, 3 * drawn.error)
          << format_duration(mean) << " × " << factor;
      EXPECT_LT(drawn.error, expected / 40);  // the test is sensitive enough
    }
  }
}

// The simulated curve is lowest on the grid's points beside the exact optimum.
TEST(FailingJob, SimulatedCurveIsLowestAroundTheExactOptimum) {
  const double best = policies::exact_interval(300, 6 * 3600.0);
  double lowest = 0, at = 0;
  for (const double factor : {0.3, 0.6, 1.0, 1.7, 3.0}) {
    const Duration interval = from_seconds(factor * best);
    const FailingJob job{
        .work = 60h, .interval = interval, .checkpoint = 5min, .restart = 10min, .mean = 6h};
    const double mean = mean_of(job, 3000, Streams(8).stream("failing-job")).mean;
    if (at == 0 || mean < lowest) lowest = mean, at = factor;
  }
  EXPECT_GE(at, 0.6);
  EXPECT_LE(at, 1.7);
}

}  // namespace
}  // namespace sim::ticks
