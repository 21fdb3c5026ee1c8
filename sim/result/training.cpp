#include "sim/result/training.h"

#include <algorithm>
#include <limits>
#include <ranges>
#include <span>
#include <utility>

#include "sim/result/gang.h"
#include "sim/result/walk.h"

namespace sim::result {
namespace {

constexpr std::int64_t kAll = std::numeric_limits<std::int64_t>::max();
std::optional<Duration> median(std::vector<Duration> times) {
  if (times.empty()) return std::nullopt;
  const auto middle = times.begin() + std::ssize(times) / 2;
  std::nth_element(times.begin(), middle, times.end());
  return *middle;
}

bool ends_checkpoint(const TrainerLine& line) {
  return line.event == TrainerEvent::kCheckpointDurable ||
         line.event == TrainerEvent::kCheckpointWritten ||
         line.event == TrainerEvent::kCheckpointFailed;
}

// The duration of a step: the median time between two reports with nothing in between. The shortest
// time would be wrong, because a trainer may cut its last step short on a notice.
std::optional<Duration> observed_step_time(const std::vector<TrainerLine>& lines) {
  std::vector<Duration> times;
  times.reserve(lines.size());
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const TrainerLine &a = lines[i - 1], &b = lines[i];
    if (a.event != TrainerEvent::kStep || b.event != TrainerEvent::kStep) continue;
    if (a.stay != b.stay) continue;
    const std::int64_t steps = steps_between(a.step, b.step);
    if (steps > 0 && steps <= kMostAtOnce) times.push_back((b.at - a.at) / steps);
  }
  return median(std::move(times));
}

// For a trainer that writes a checkpoint after each report: the median time from the end of a
// checkpoint to the next report.
std::optional<Duration> step_time_after_checkpoints(const std::vector<TrainerLine>& lines) {
  std::vector<Duration> times;
  const TrainerLine* before = nullptr;  // the last step
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].event != TrainerEvent::kStep) continue;
    const TrainerLine* const last = std::exchange(before, &lines[i]);
    if (!last || last->stay != lines[i].stay || !ends_checkpoint(lines[i - 1])) continue;
    const std::int64_t steps = steps_between(last->step, lines[i].step);
    if (steps > 0 && steps <= kMostAtOnce) times.push_back((lines[i].at - lines[i - 1].at) / steps);
  }
  return median(std::move(times));
}

Duration step_time_of(const History& history, const History::Instance& instance) {
  if (const auto observed = observed_step_time(instance.trainer)) return *observed;
  const auto stated = history.header.step_seconds.find(instance.type);
  if (stated != history.header.step_seconds.end()) return from_seconds(stated->second);
  return step_time_after_checkpoints(instance.trainer).value_or(Duration{});
}

// Tells which lines begin a session, if it is asked for each line in turn.
class Beginnings {
 public:
  explicit Beginnings(const History::Instance& instance) : pauses_(instance.pauses) {}

  bool begins(const TrainerLine& line) {
    for (; stay_ < std::min(line.stay, pauses_.size()); ++stay_)
      if (!pauses_[stay_].hibernates()) begun_ = false;
    const bool starts = line.event == TrainerEvent::kStart;
    if (!starts && (begun_ || line.event != TrainerEvent::kStep)) return false;
    return begun_ = true;
  }

 private:
  const std::vector<History::Pause>& pauses_;
  std::size_t stay_ = 0;
  bool begun_ = false;
};

}  // namespace

std::vector<Session> sessions(const History& history) {
  std::vector<Session> list;
  std::int64_t durable = 0;
  bool finished = history.outcome == "completed";
  for (std::size_t i = 0; i < history.instances.size(); ++i) {
    Beginnings beginnings(history.instances[i]);
    for (const TrainerLine& line : history.instances[i].trainer) {
      const bool starts = line.event == TrainerEvent::kStart;
      if (beginnings.begins(line))
        list.push_back({i, line.order, starts ? line.step : line.step - 1, 0});
      if (line.event == TrainerEvent::kCheckpointDurable ||
          line.event == TrainerEvent::kCheckpointWritten)
        durable = std::max(durable, line.step);
      finished = finished || line.event == TrainerEvent::kFinished;
    }
  }
  // A failed job without kept state must repeat all steps.
  if (history.outcome == "failed" && history.evidence.kept == false) finished = false, durable = 0;
  std::sort(list.begin(), list.end(),
            [](const Session& a, const Session& b) { return a.order < b.order; });
  std::int64_t kept = finished ? kAll : durable;
  for (auto session = list.rbegin(); session != list.rend(); ++session) {
    session->kept_through = kept;
    kept = std::min(kept, session->start_step);
  }
  return list;
}

namespace {

// True if the trainer ended with the user data. A trainer that reports later runs as a service. So
// may a silent trainer if the user data succeeded.
bool ends_with_user_data(std::span<const TrainerLine> lines, const History::Exit& exit) {
  return lines.empty() ? exit.status != 0 : lines.back().at <= exit.at;
}

void tell(Walk& walk, const TrainerLine& line) {
  switch (line.event) {
    case TrainerEvent::kStep:
      walk.step(line);
      break;
    case TrainerEvent::kCheckpointBegin:
      walk.checkpoint_begin(line);
      break;
    case TrainerEvent::kCheckpointSnapshot:
      walk.checkpoint_snapshot(line);
      break;
    case TrainerEvent::kCheckpointDurable:
    case TrainerEvent::kCheckpointWritten:
      walk.checkpoint_durable(line);
      break;
    case TrainerEvent::kCheckpointFailed:
      walk.checkpoint_failed(line);
      break;
    case TrainerEvent::kStop:
      walk.stop(line);
      break;
    case TrainerEvent::kFinished:
      walk.finished(line);
      break;
    case TrainerEvent::kStart:
    case TrainerEvent::kFailed:
    case TrainerEvent::kOther:
      break;
  }
}

// The last end of the instance's user data from `from` to `to`.
const History::Exit* last_exit(const History::Instance& instance, Time from, Time to) {
  for (const History::Exit& exit : instance.exits | std::views::reverse)
    if (exit.at >= from && exit.at <= to) return &exit;
  return nullptr;
}

}  // namespace

InstanceTime time_of(const History& history, std::size_t index, const std::vector<Session>& list,
                     Time end) {
  const History::Instance& instance = history.instances[index];
  if (!instance.running_at) return {};
  const History::Instance& heard = heard_for(history, index);
  Walk walk(history, instance, step_time_of(history, heard));
  Beginnings beginnings(heard);
  auto line = heard.trainer.begin();
  Time from = *instance.running_at;
  for (std::size_t stay = 0; stay <= instance.pauses.size(); ++stay) {
    const History::Pause* const pause =
        stay < instance.pauses.size() ? &instance.pauses[stay] : nullptr;
    const auto after = std::find_if(line, heard.trainer.end(),
                                    [stay](const TrainerLine& l) { return l.stay > stay; });
    const std::span<const TrainerLine> lines(line, after);
    line = after;
    if (stay > 0) {
      const History::Pause& before = instance.pauses[stay - 1];
      if (!before.until) break;
      walk.resume(before, !lines.empty());
      from = *before.until;
    }
    const Time to = pause ? pause->billed_until : instance.billed_until().value_or(end);
    walk.stay(to, pause ? pause->notice_at : instance.notice_at);
    if (instance.booted_at && *instance.booted_at >= from && *instance.booted_at <= to)
      walk.boot(*instance.booted_at);
    for (const TrainerLine& told : lines) {
      walk.thaw(told);
      if (beginnings.begins(told))
        walk.session(told, std::ranges::find(list, told.order, &Session::order)->kept_through);
      tell(walk, told);
    }
    const Time ends = pause ? pause->until.value_or(end) : end;
    const History::Exit* const exit = last_exit(instance, from, ends);
    if (exit && exit->at < to && ends_with_user_data(lines, *exit)) walk.exit(exit->at);
    if (pause)
      walk.pause(*pause);
    else
      walk.leave();
  }
  InstanceTime time = walk.over();
  if (&heard != &instance) time.steps_done = time.steps_kept = 0;  // the first rank counts them
  return time;
}

TimeLedger until_first_pause(const History::Instance& instance, const InstanceTime& time) {
  TimeLedger sums;
  for (const TimeSpan& span : time.spans)
    if (instance.pauses.empty() || span.from < instance.pauses.front().billed_until)
      sums.*span.column += span.to - span.from;
  return sums;
}

std::vector<InstanceTime> instance_times(const History& history) {
  const std::vector<Session> list = sessions(history);
  std::vector<InstanceTime> times;
  for (std::size_t i = 0; i < history.instances.size(); ++i)
    times.push_back(time_of(history, i, list, history.end));
  return times;
}

}  // namespace sim::result
