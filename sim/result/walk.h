// Divides the billed time of one instance among the keys of the time ledger, from event to event.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/result/history.h"
#include "sim/result/time_spans.h"
#include "sim/result/training.h"

namespace sim::result {

// The most steps that one line may report. A line that skips more is not a count of steps.
inline constexpr std::int64_t kMostAtOnce = 1'000'000;

// The number of steps between two reports, from 0 to kMostAtOnce + 1, because guests may report any
// number.
std::int64_t steps_between(std::int64_t from, std::int64_t to);

// Follows an instance's life from event to event. The time since the last event becomes a span, in
// the column of the instance's state. A pause ends a stay: call stay(), the stay's events, and
// leave() or pause().
class Walk {
 public:
  Walk(const History& history, const History::Instance& instance, Duration step_time)
      : reasons_(history.reasons),
        end_(*instance.running_at),
        last_(*instance.running_at),
        stay_began_(*instance.running_at) {
    time_.step_time = step_time;
  }

  // The instance runs until `end`.
  void stay(Time end, std::optional<Time> notice) {
    end_ = end;
    notice_ = notice;
  }
  void leave();
  void pause(const History::Pause& pause);
  // The instance runs again after the pause. `trains`: a trainer will report.
  void resume(const History::Pause& pause, bool trains);
  // Programs continue after hibernation. Call this before a trainer's first line of a stay.
  void thaw(const TrainerLine& line);

  void boot(Time at) { move(at, &TimeLedger::migrate); }
  void session(const TrainerLine& line, std::int64_t kept_through) {
    spend(line.at);
    drop_partial_step();
    began_ = line.at;
    const bool reboots = restart_from_ && column_ == &TimeLedger::boot;
    untold_in_ = reboots || column_ == &TimeLedger::migrate ? column_ : nullptr;
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
    if (restart_from_ && column_ == &TimeLedger::boot) return;  // it stops for the reboot
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
  // training, their time was counted as migration so far, or as the boot after a restart.
  Duration untold(Duration steps) {
    if (!untold_in_ || last_ != began_) return {};
    return spans_.reclaim(untold_in_, std::min(steps, last_ - stay_began_));
  }
  void restarted(Time at) {
    if (restart_from_) time_.restarts += at - *restart_from_;
    restart_from_.reset();
  }
  void drop_partial_step() { spans_.decide(spans_.undecided()); }

  const std::vector<std::string>& reasons_;
  InstanceTime time_;
  TimeSpans spans_;
  Time end_, last_, stay_began_;
  std::optional<Time> notice_;
  Duration TimeLedger::*column_ = &TimeLedger::boot;
  Duration TimeLedger::*before_checkpoint_ = kTraining;
  std::optional<Duration TimeLedger::*> frozen_;  // the column before hibernation
  std::optional<Time> restart_from_;              // of the last restart, until its first step
  Time checkpoint_began_{};
  Time began_{};  // start of the session
  // The column of the time before the session, if its first step may be its first line.
  Duration TimeLedger::*untold_in_ = nullptr;
  std::string reason_;
  Checkpoint background_{.step = -1};  // last one written during training
  std::int64_t kept_through_ = 0, last_step_ = 0;
};

}  // namespace sim::result
