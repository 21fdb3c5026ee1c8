// The billed time of one instance as spans. Training is undecided until its step is reported: only
// then is it known whether the step was kept or lost.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "sim/result/training.h"

namespace sim::result {

class TimeSpans {
 public:
  using Column = Duration TimeLedger::*;
  static constexpr Column kUndecided = nullptr;

  // Adds a span directly after the last one. Both become one if they have the same column.
  void add(Column column, Time from, Time to);
  // The length of all undecided training.
  Duration undecided() const;
  // Decides all undecided training: the last part, of length `lost`, was lost, and the rest was
  // kept.
  void decide(Duration lost);
  // Moves the last `time` of undecided training to this column. Returns how much there was to move.
  Duration reclaim(Column column, Duration time);
  // The sums by column, without undecided training.
  TimeLedger sums() const;
  std::vector<TimeSpan> take() { return std::move(spans_); }

 private:
  std::vector<TimeSpan> spans_;
  std::size_t undecided_from_ = 0;  // no span before this place is undecided
};

}  // namespace sim::result
