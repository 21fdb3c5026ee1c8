#include "trainer/checkpoint/saver.h"

#include <exception>
#include <utility>

#include "base/process/quiet_thread.h"

namespace spottrain {

Saver::Saver(CheckpointFolder& folder, Mode mode, Snapshot snapshot)
    : folder_(folder), mode_(mode), snapshot_(std::move(snapshot)) {
  if (mode_ == Mode::sync) return;
  snapshot_(buffer_);
  thread_ = base::quiet_thread([this] { work(); });
}

Saver::~Saver() {
  if (mode_ == Mode::sync) return;
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

Saver::Outcome Saver::persist() {
  Outcome outcome{.step = buffer_.step};
  try {
    outcome.bytes = folder_.save(buffer_);
    outcome.took = std::chrono::steady_clock::now() - begin_;
  } catch (const std::exception& error) {
    outcome.error = error.what();
    return outcome;
  }
  try {
    folder_.rotate();
  } catch (const std::exception& error) {
    outcome.not_rotated = error.what();
  }
  return outcome;
}

void Saver::save() {
  wait();
  begin_ = std::chrono::steady_clock::now();
  snapshot_(buffer_);
  if (mode_ == Mode::sync) {
    outcomes_.push_back(persist());
    return;
  }
  {
    const std::lock_guard lock(mutex_);
    in_flight_ = true;
  }
  changed_.notify_all();
}

void Saver::wait() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return !in_flight_; });
}

std::vector<Saver::Outcome> Saver::outcomes() {
  const std::lock_guard lock(mutex_);
  return std::exchange(outcomes_, {});
}

void Saver::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return in_flight_ || closing_; });
    if (!in_flight_) return;
    lock.unlock();
    Outcome outcome = persist();
    lock.lock();
    outcomes_.push_back(std::move(outcome));
    in_flight_ = false;
    changed_.notify_all();
  }
}

}  // namespace spottrain
