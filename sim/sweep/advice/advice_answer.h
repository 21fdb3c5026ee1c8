// The answer of `spotsim advise`: the advice for each instance type, with the interval's influence
// on the cost, and with what the user does today.
#pragma once

#include <optional>
#include <vector>

#include "sim/sweep/advice/advice.h"
#include "sim/sweep/advice/advice_file.h"

namespace sim::sweep {

struct IntervalRange {
  Duration from, to;
};

// An advice for one instance type.
struct TypeAnswer {
  AdviceFile file;
  Advice advice;
  // The advised way with other intervals, by interval, on the same windows. Empty if the advice is
  // to rent on demand.
  std::vector<Alternative> curve;
  // Intervals around the advised one that are in time as often and cost at most 1 % more. Empty if
  // the advised way has no fixed interval.
  std::optional<IntervalRange> as_good;
  std::optional<Alternative> today;  // what the user does now, if it is on this type
};

struct Answer {
  std::vector<TypeAnswer> types;   // in the file's order; at least one
  std::size_t best = 0;            // the type that is late least often, then the cheapest
  std::optional<std::size_t> now;  // the type of today's way

  const TypeAnswer& advised() const { return types[best]; }
  const Alternative* today() const { return now ? &*types[*now].today : nullptr; }
};

inline constexpr double kAsGood = 0.01;  // share of the cost

// `files` are the questions of one file. Throws std::length_error like advise().
Answer answer(std::vector<AdviceFile> files, unsigned threads);

}  // namespace sim::sweep
