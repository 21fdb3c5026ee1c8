#include "sim/result/time_spans.h"

#include <algorithm>

namespace sim::result {

void TimeSpans::add(Column column, Time from, Time to) {
  if (from == to) return;
  if (!spans_.empty() && spans_.back().column == column && spans_.back().to == from)
    spans_.back().to = to;
  else
    spans_.push_back({column, from, to});
}

Duration TimeSpans::undecided() const {
  Duration sum{};
  for (std::size_t i = undecided_from_; i < spans_.size(); ++i)
    if (spans_[i].column == kUndecided) sum += spans_[i].to - spans_[i].from;
  return sum;
}

void TimeSpans::decide(Duration lost) {
  Duration kept = undecided() - lost;
  const auto first = spans_.begin() + static_cast<std::ptrdiff_t>(undecided_from_);
  const std::vector<TimeSpan> open(first, spans_.end());
  spans_.erase(first, spans_.end());
  for (const TimeSpan& span : open) {
    if (span.column != kUndecided) {
      add(span.column, span.from, span.to);
      continue;
    }
    const Duration part = std::min(kept, span.to - span.from);
    kept -= part;
    add(&TimeLedger::train_kept, span.from, span.from + part);
    add(&TimeLedger::train_lost, span.from + part, span.to);
  }
  undecided_from_ = spans_.size();
}

Duration TimeSpans::reclaim(Column column, Duration time) {
  Duration found{};
  for (std::size_t i = spans_.size(); i-- > 0 && found < time;) {
    if (spans_[i].column != column) continue;
    const TimeSpan span = spans_[i];
    const Duration part = std::min(time - found, span.to - span.from);
    found += part;
    const TimeSpan training{kUndecided, span.to - part, span.to};
    undecided_from_ = std::min(undecided_from_, i);
    if (part == span.to - span.from) {
      spans_[i] = training;
    } else {
      spans_[i].to = training.from;
      spans_.insert(spans_.begin() + static_cast<std::ptrdiff_t>(i) + 1, training);
    }
  }
  return found;
}

TimeLedger TimeSpans::sums() const {
  TimeLedger sums;
  for (const TimeSpan& span : spans_) sums.*span.column += span.to - span.from;
  return sums;
}

}  // namespace sim::result
