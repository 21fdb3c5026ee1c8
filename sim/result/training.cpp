#include "sim/result/training.h"

#include <algorithm>
#include <limits>

#include "sim/result/gang.h"
#include "sim/result/time_spans.h"

namespace sim::result {
namespace {

constexpr std::int64_t kAll = std::numeric_limits<std::int64_t>::max();
// The most steps that one line may report. A line that skips more is not a count of steps.
constexpr std::int64_t kMostAtOnce = 1'000'000;

// The number of steps between two reports, from 0 to kMostAtOnce + 1, because guests may report any
// number.
std::int64_t steps_between(std::int64_t from, std::int64_t to) {
  if (to <= from) return 0;
  const auto steps = static_cast<std::uint64_t>(to) - static_cast<std::uint64_t>(from);
  return static_cast<std::int64_t>(std::min<std::uint64_t>(steps, kMostAtOnce + 1));
}

// The duration of a step: the median time between two reports with nothing in between. The shortest
// time would be wrong, because a trainer may cut its last step short on a notice.
std::optional<Duration> observed_step_time(const std::vector<TrainerLine>& lines) {
  std::vector<Duration> times;
  times.reserve(lines.size());
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const TrainerLine &a = lines[i - 1], &b = lines[i];
    if (a.event != TrainerEvent::kStep || b.event != TrainerEvent::kStep) continue;
    const std::int64_t steps = steps_between(a.step, b.step);
    if (steps > 0 && steps <= kMostAtOnce) times.push_back((b.at - a.at) / steps);
  }
  if (times.empty()) return std::nullopt;
  const auto middle = times.begin() + std::ssize(times) / 2;
  std::nth_element(times.begin(), middle, times.end());
  return *middle;
}

// Follows an instance's life from event to event. The time since the last event becomes a span, in
// the column of the instance's state.
class Walk {
 public:
  Walk(const History& history, const History::Instance& instance, Duration step_time, Time end)
      : reasons_(history.reasons),
        end_(instance.billed_until().value_or(end)),
        last_(*instance.running_at),
        notice_(instance.notice_at) {
    time_.step_time = step_time;
  }

  void boot(Time at) { move(at, &TimeLedger::migrate); }
  void session(const TrainerLine& line, std::int64_t kept_through) {
    spend(line.at);
    drop_partial_step();
    began_ = line.at;
    began_untold_ = column_ == &TimeLedger::migrate;
    kept_through_ = kept_through;
    last_step_ = line.event == TrainerEvent::kStart ? line.step : line.step - 1;
    column_ = &TimeLedger::restore;
  }
  void step(const TrainerLine& line);
  void checkpoint_begin(const TrainerLine& line) {
    spend(line.at);
    before_checkpoint_ = column_;
    reason_ = reasons_[line.reason];
    checkpoint_began_ = last_;
    column_ = &TimeLedger::checkpoint;
  }
  // A snapshot copies the state, and training continues while it is written.
  void checkpoint_snapshot(const TrainerLine& line) {
    if (column_ != &TimeLedger::checkpoint) return;
    move(line.at, before_checkpoint_);
    background_ = {line.step, reason_, last_ - checkpoint_began_};
  }
  void checkpoint_durable(const TrainerLine& line);
  void checkpoint_failed(const TrainerLine& line) {
    if (background_.step == line.step || column_ != &TimeLedger::checkpoint) return;
    move(line.at, before_checkpoint_);
  }
  void stop(const TrainerLine& line) {
    spend(line.at);
    drop_partial_step();
    column_ = &TimeLedger::notice_idle;
  }
  void finished(const TrainerLine& line) {
    spend(line.at);
    spans_.decide(Duration{});
    column_ = &TimeLedger::teardown;
  }
  // The user data has ended, and with it the trainer. Later time is not training.
  void exit(Time at) {
    if (column_ == &TimeLedger::teardown || column_ == &TimeLedger::notice_idle) return;
    spend(at);
    drop_partial_step();
    column_ = &TimeLedger::idle;
  }
  InstanceTime over() {
    wait_on_notice();
    spend(end_);
    drop_partial_step();
    time_.columns = spans_.sums();
    time_.spans = spans_.take();
    return time_;
  }

 private:
  static constexpr Duration TimeLedger::*kTraining = TimeSpans::kUndecided;

  void spend(Time at) {
    const Time until = std::clamp(at, last_, std::max(last_, end_));
    spans_.add(column_, last_, until);
    last_ = until;
  }
  void move(Time at, Duration TimeLedger::*column) {
    spend(at);
    column_ = column;
  }
  // An instance with a notice that trains no further step waits for its end, even if it does not
  // report that.
  void wait_on_notice() {
    const bool trains = column_ == kTraining || column_ == &TimeLedger::restore;
    if (!notice_ || !trains || time_.step_time == Duration{}) return;
    const Time idle = std::max(last_, *notice_);
    if (end_ - idle > time_.step_time) move(idle, &TimeLedger::notice_idle);
  }
  // The trainer also did the steps before its first report. Without a line for the start of
  // training, their time was counted as migration so far.
  Duration untold(Duration steps) {
    if (!began_untold_ || last_ != began_) return {};
    return spans_.reclaim(&TimeLedger::migrate, steps);
  }
  void drop_partial_step() { spans_.decide(spans_.undecided()); }

  const std::vector<std::string>& reasons_;
  InstanceTime time_;
  TimeSpans spans_;
  Time end_, last_;
  std::optional<Time> notice_;
  Duration TimeLedger::*column_ = &TimeLedger::boot;
  Duration TimeLedger::*before_checkpoint_ = kTraining;
  Time checkpoint_began_{};
  Time began_{};  // start of the session
  // The session has no line `start`, so its first step may be its first line.
  bool began_untold_ = false;
  std::string reason_;
  Checkpoint background_{.step = -1};  // last one written during training
  std::int64_t kept_through_ = 0, last_step_ = 0;
};

void Walk::step(const TrainerLine& line) {
  // A trainer that reports every tenth step has done ten.
  const std::int64_t told = steps_between(last_step_, line.step);
  const std::int64_t steps = told == 0 || told > kMostAtOnce ? 1 : told;
  last_step_ = line.step;
  const Time before = last_;
  spend(line.at);
  if (column_ == &TimeLedger::restore) {
    // Only the first step's own time is training. The time before it is restoring.
    const bool all_of_it = (last_ - before) / steps < time_.step_time;
    Duration own = all_of_it ? last_ - before : steps * time_.step_time;
    spans_.reclaim(&TimeLedger::restore, own);
    own += untold(steps * time_.step_time);
    if (!time_.first_step_at) time_.first_step_at = last_ - own;
  }
  const std::int64_t lost = std::min(steps_between(kept_through_, line.step), steps);
  time_.steps_done += steps;
  time_.steps_kept += steps - lost;
  const Duration took = spans_.undecided();
  spans_.decide(lost == steps ? took : took / steps * lost);
  column_ = kTraining;
}

void Walk::checkpoint_durable(const TrainerLine& line) {
  spend(line.at);
  if (background_.step == line.step) time_.durable.push_back(background_);
  if (background_.step == line.step || column_ != &TimeLedger::checkpoint) return;
  time_.durable.push_back({line.step, reason_, last_ - checkpoint_began_});
  column_ = before_checkpoint_;
}

Duration step_time_of(const History& history, const History::Instance& instance) {
  if (const auto observed = observed_step_time(instance.trainer)) return *observed;
  const auto stated = history.header.step_seconds.find(instance.type);
  return stated == history.header.step_seconds.end() ? Duration{} : from_seconds(stated->second);
}

}  // namespace

std::vector<Session> sessions(const History& history) {
  std::vector<Session> list;
  std::int64_t durable = 0;
  bool finished = history.outcome == "completed";
  for (std::size_t i = 0; i < history.instances.size(); ++i) {
    for (const TrainerLine& line : history.instances[i].trainer) {
      if (line.event == TrainerEvent::kStart) list.push_back({i, line.order, line.step, 0});
      const bool began = !list.empty() && list.back().instance == i;
      if (line.event == TrainerEvent::kStep && !began)
        list.push_back({i, line.order, line.step - 1, 0});
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
bool ends_with_user_data(const History::Instance& instance, const History::Exit& exit) {
  const auto& lines = instance.trainer;
  return lines.empty() ? exit.status != 0 : lines.back().at <= exit.at;
}

}  // namespace

InstanceTime time_of(const History& history, std::size_t index, const std::vector<Session>& list,
                     Time end) {
  const History::Instance& instance = history.instances[index];
  if (!instance.running_at) return {};
  const History::Instance& heard = heard_for(history, index);
  Walk walk(history, instance, step_time_of(history, heard), end);
  if (instance.booted_at) walk.boot(*instance.booted_at);
  bool begun = false;
  for (const TrainerLine& line : heard.trainer) {
    const bool starts = line.event == TrainerEvent::kStart;
    if (starts || (line.event == TrainerEvent::kStep && !begun)) {
      walk.session(line, std::ranges::find(list, line.order, &Session::order)->kept_through);
      begun = true;
    }
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
      case TrainerEvent::kOther:
        break;
    }
  }
  const auto exit = history.exits.find(instance.id);
  if (exit != history.exits.end() && ends_with_user_data(instance, exit->second))
    walk.exit(exit->second.at);
  InstanceTime time = walk.over();
  if (&heard != &instance) time.steps_done = time.steps_kept = 0;  // the first rank counts them
  return time;
}

std::vector<InstanceTime> instance_times(const History& history) {
  const std::vector<Session> list = sessions(history);
  std::vector<InstanceTime> times;
  for (std::size_t i = 0; i < history.instances.size(); ++i)
    times.push_back(time_of(history, i, list, history.end));
  return times;
}

}  // namespace sim::result
