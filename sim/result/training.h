// Training as the trainers' lines tell it: sessions, which of their steps lasted, and where an
// instance's time went.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "sim/result/history.h"
#include "sim/result/result.h"

namespace sim::run {

// One start of a trainer on one instance: its line `start`, or a first step without one.
struct Session {
  std::size_t instance = 0;  // place in History::instances
  std::size_t order = 0;     // of that line
  std::int64_t start_step = 0;
  // Steps up to here were not done again: covered by what every later session resumed from; in the
  // last session all when the job finished or the run completed, else up to the last checkpoint;
  // none when that is gone.
  std::int64_t kept_through = 0;
};
// In log order.
std::vector<Session> sessions(const History& history);

// One stretch of an instance's billed time. Its column is never `billed` nor `waiting`.
struct TimeSpan {
  Duration TimeLedger::*column = nullptr;
  Time from, to;
};

struct Checkpoint {
  std::int64_t step = 0;
  std::string reason;
  Duration stall{};  // begin to durable, or to the snapshot
};

// How one instance's billed time was spent, and the steps that it trained.
struct InstanceTime {
  std::vector<TimeSpan> spans;        // in order, from the start of billing to its end
  TimeLedger columns;                 // the sums of the spans; `billed`, `waiting` are left at zero
  std::optional<Time> first_step_at;  // its first step's beginning
  std::int64_t steps_done = 0, steps_kept = 0;
  std::vector<Checkpoint> durable;
  Duration step_time{};  // the median time between two neighbouring steps, else the stated one
};
// `list` are all sessions; `end` is where the log ends, for instances that still run.
InstanceTime time_of(const History& history, std::size_t instance, const std::vector<Session>& list,
                     Time end);
// Of all instances, in the history's order.
std::vector<InstanceTime> instance_times(const History& history);

}  // namespace sim::run
