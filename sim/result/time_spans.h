// The billed time of one instance as spans. Training is undecided until its step is reported: only
// then is it known whether the step was kept or lost.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "sim/result/training.h"

namespace sim::run {

class TimeSpans {
 public:
  using Column = Duration TimeLedger::*;
  static constexpr Column kUndecided = nullptr;

  // The span follows the last one. It is joined with that one if both have the same column.
  void add(Column column, Time from, Time to);
  // The length of all undecided training.
  Duration undecided() const;
  // The last `lost` of the undecided training was lost, and the rest was kept.
  void decide(Duration lost);
  // The last `time` in this column was undecided training. Returns how much of it there was.
  Duration reclaim(Column column, Duration time);
  // Without undecided training.
  TimeLedger sums() const;
  std::vector<TimeSpan> take() { return std::move(spans_); }

 private:
  std::vector<TimeSpan> spans_;
  std::size_t undecided_from_ = 0;  // no span before this place is undecided
};

}  // namespace sim::run
