#include "sim/result/working_time.h"

#include <algorithm>

namespace sim::result {
namespace {

using Lines = std::vector<TrainerLine>;

Lines::const_iterator first_after(const Lines& lines, Time t) {
  return std::ranges::upper_bound(lines, t, {}, &TrainerLine::at);
}

// Whether the lines before `end` leave the trainer at work.
bool works_after(const Lines& lines, Lines::const_iterator end) {
  std::int64_t saved = -1;  // the greatest step whose checkpoint lets training continue
  while (end != lines.begin()) {
    const TrainerLine& line = *--end;
    switch (line.event) {
      case TrainerEvent::kStart:
      case TrainerEvent::kStep:
        return true;
      case TrainerEvent::kCheckpointBegin:
        if (line.step > saved) return false;
        break;
      case TrainerEvent::kCheckpointSnapshot:
      case TrainerEvent::kCheckpointDurable:
      case TrainerEvent::kCheckpointWritten:
      case TrainerEvent::kCheckpointFailed:
        saved = std::max(saved, line.step);
        break;
      case TrainerEvent::kStop:
      case TrainerEvent::kFinished:
      case TrainerEvent::kFailed:
        return false;
      case TrainerEvent::kOther:
        break;
    }
  }
  return false;
}

// Whether the machine's programs have ended between the times, both included.
bool ended_between(const History::Instance& instance, Time from, Time to) {
  const auto is_within = [&](Time t) { return t >= from && t <= to; };
  return std::ranges::any_of(instance.exits,
                             [&](const History::Exit& exit) { return is_within(exit.at); }) ||
         std::ranges::any_of(instance.pauses, [&](const History::Pause& pause) {
           return !pause.hibernates() && is_within(pause.begins_at);
         });
}

bool works_at(const History::Instance& instance, Time t) {
  const auto next = first_after(instance.trainer, t);
  return next != instance.trainer.begin() && works_after(instance.trainer, next) &&
         !ended_between(instance, std::prev(next)->at, t);
}

}  // namespace

Duration working_time(const History::Instance& instance, Time from, Time to) {
  std::vector<Time> changes{from};
  const auto note = [&](Time t) {
    if (t > from && t < to) changes.push_back(t);
  };
  for (auto line = first_after(instance.trainer, from);
       line != instance.trainer.end() && line->at < to; ++line)
    if (line->at != changes.back()) changes.push_back(line->at);
  for (const History::Exit& exit : instance.exits) note(exit.at);
  for (const History::Pause& pause : instance.pauses) note(pause.begins_at);
  std::ranges::sort(changes);
  changes.push_back(to);
  Duration worked{};
  for (std::size_t i = 0; i + 1 < changes.size(); ++i)
    if (works_at(instance, changes[i])) worked += changes[i + 1] - changes[i];
  return worked;
}

}  // namespace sim::result
