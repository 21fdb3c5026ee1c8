// A sweep of checkpoint intervals for a job with random interruptions. It compares each mean with
// the closed form.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/market/usd.h"
#include "sim/sweep/grid.h"
#include "sim/ticks/failing_job.h"

namespace sim::sweep {

// An interval in a sweep: a duration, or a formula of policies/checkpoint/interval.h ("young",
// "daly-1", "daly" or "exact"), optionally with a factor: "exact*0.5".
class Interval {
 public:
  // Throws std::invalid_argument if the text is not an interval.
  explicit Interval(std::string text);

  const std::string& text() const { return text_; }
  // For the job's checkpoint and mean time between interruptions; above 0.
  Duration of(const ticks::FailingJob& job) const;

 private:
  std::string text_;
  Duration fixed_{};
  double (*formula_)(double d, double M) = nullptr;
  double factor_ = 1;
};

// The expected time of the job's full intervals and the remaining one, by policies::expected_time;
// seconds.
double expected_seconds(const ticks::FailingJob& job);

struct FailingJobPlan {
  std::vector<ticks::FailingJob> settings;  // without their intervals
  std::vector<Interval> intervals;          // the variants
  // One per case; a case has the same interruptions for all variants.
  std::vector<std::uint64_t> seeds;
  market::Usd price;  // of the instance, an hour
};

// A block is one run.
class FailingJobSweep : public Sweep {
 public:
  explicit FailingJobSweep(FailingJobPlan plan);

  Rows run(std::span<const std::int64_t> blocks) const override;

 protected:
  Fingerprint make_fingerprint() const override;

 private:
  ticks::FailingJob job(std::int64_t run) const;

  FailingJobPlan plan_;
};

}  // namespace sim::sweep
