#include "sim/result/walk.h"

#include <utility>

namespace sim::result {

std::int64_t steps_between(std::int64_t from, std::int64_t to) {
  if (to <= from) return 0;
  const auto steps = static_cast<std::uint64_t>(to) - static_cast<std::uint64_t>(from);
  return static_cast<std::int64_t>(std::min<std::uint64_t>(steps, kMostAtOnce + 1));
}

void Walk::leave() {
  wait_on_notice();
  spend(end_);
  drop_partial_step();
  if (column_ != &TimeLedger::teardown) restarted(last_);
}

void Walk::pause(const History::Pause& pause) {
  if (!pause.hibernates()) return leave();
  spend(pause.begins_at);
  if (!frozen_ && column_ != &TimeLedger::teardown) frozen_ = column_;
  if (frozen_) column_ = &TimeLedger::notice_idle;
  spend(end_);
  restarted(last_);
}

void Walk::resume(const History::Pause& pause, bool trains) {
  last_ = stay_began_ = *pause.until;
  restart_from_ = pause.started_at.value_or(*pause.until);
  if (column_ == &TimeLedger::teardown) return;
  const bool busy = frozen_ && *frozen_ != &TimeLedger::idle;
  column_ = trains || busy ? &TimeLedger::boot : &TimeLedger::idle;
}

void Walk::thaw(const TrainerLine& line) {
  if (!frozen_) return;
  spend(line.at);
  column_ = *std::exchange(frozen_, std::nullopt);
  if (column_ != kTraining) return;
  Duration own{};
  if (line.event == TrainerEvent::kStep) {
    own = time_.step_time * std::min(steps_between(last_step_, line.step), kMostAtOnce);
    own = std::clamp(own - spans_.undecided(), Duration{}, last_ - stay_began_);
    spans_.reclaim(&TimeLedger::boot, own);
  }
  restarted(last_ - own);
}

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
    restarted(last_ - own);
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

}  // namespace sim::result
