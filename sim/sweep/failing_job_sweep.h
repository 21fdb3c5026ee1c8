// A sweep of intervals between checkpoints on a job that is interrupted at random, each mean beside
// its closed form.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/market/usd.h"
#include "sim/sweep/grid.h"
#include "sim/ticks/failing_job.h"

namespace sim::sweep {

// An interval as a sweep writes it: a duration, or a formula of policies/checkpoint/interval.h,
// "young", "daly-1", "daly" or "exact", with a factor perhaps: "exact*0.5".
class Interval {
 public:
  // Throws std::invalid_argument: the text is none.
  explicit Interval(std::string text);

  const std::string& text() const { return text_; }
  // For the job's checkpoint and mean time between interruptions; above 0.
  Duration of(const FailingJob& job) const;

 private:
  std::string text_;
  Duration fixed_{};
  double (*formula_)(double d, double M) = nullptr;
  double factor_ = 1;
};

// The expected time of the job's whole intervals and the rest, by policies::expected_time; seconds.
double expected_seconds(const FailingJob& job);

struct FailingJobPlan {
  std::vector<FailingJob> settings;  // but for their intervals
  std::vector<Interval> intervals;   // the variants
  std::vector<std::uint64_t> seeds;  // of the cases: in each, interruptions strike all alike
  market::Usd price;                 // of the instance, an hour
};

// A block is one run.
class FailingJobSweep : public Sweep {
 public:
  explicit FailingJobSweep(FailingJobPlan plan);

  Rows run(std::span<const std::int64_t> blocks) const override;

 protected:
  Fingerprint make_fingerprint() const override;

 private:
  FailingJob job(std::int64_t run) const;

  FailingJobPlan plan_;
};

}  // namespace sim::sweep
