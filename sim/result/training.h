// Training according to the trainers' lines: the sessions, which of their steps were kept, and how
// each instance spent its time.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "sim/result/history.h"
#include "sim/result/result.h"

namespace sim::result {

// One start of a trainer on one instance: the line `start`, or a trainer's first step after its
// instance started, if there was no such line.
struct Session {
  std::size_t instance = 0;  // place in History::instances
  std::size_t order = 0;     // position of that line among all trainers' lines
  std::int64_t start_step = 0;
  // The last step that was not repeated later. It is the step from which every later session
  // resumed. In the last session it is the last step if the job finished or the run completed, else
  // the last checkpoint, or none if that is lost.
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
  TimeLedger columns;                 // sums of the spans; `billed` and `waiting` stay zero
  std::optional<Time> first_step_at;  // start of its first step
  std::int64_t steps_done = 0, steps_kept = 0;
  std::vector<Checkpoint> durable;
  // The median time between neighbouring steps, else the stated one, else the median time from a
  // checkpoint's end to the next step.
  Duration step_time{};
  // From each later start or reboot to the first step after it, or to the end of that stay.
  Duration restarts{};
};
// `list` are all sessions; `end` is where the log ends, for instances that still run.
InstanceTime time_of(const History& history, std::size_t instance, const std::vector<Session>& list,
                     Time end);
// Of all instances, in the history's order.
std::vector<InstanceTime> instance_times(const History& history);
// The sums of those spans that begin before the instance's first stop or reboot.
TimeLedger until_first_pause(const History::Instance& instance, const InstanceTime& time);

}  // namespace sim::result
