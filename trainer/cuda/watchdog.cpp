#include "trainer/cuda/watchdog.h"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

namespace spottrain::cuda {

Watchdog::Watchdog(std::function<std::string()> trouble, std::function<void()> give_up,
                   Patience patience)
    : trouble_(std::move(trouble)),
      give_up_(std::move(give_up)),
      patience_(patience),
      thread_([this](const std::stop_token& stop) { watch(stop); }) {}

Watchdog::~Watchdog() = default;

void Watchdog::begin() {
  const std::lock_guard lock(mutex_);
  if (under_way_++ == 0) since_ = std::chrono::steady_clock::now();
  changed_.notify_all();
}

void Watchdog::end() {
  const std::lock_guard lock(mutex_);
  --under_way_;
  since_ = std::chrono::steady_clock::now();
  if (!given_up_.empty()) throw std::runtime_error(given_up_);
}

void Watchdog::watch(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (changed_.wait(lock, stop, [this] { return under_way_ > 0; })) {
    changed_.wait_for(lock, stop, patience_.interval, [] { return false; });
    if (stop.stop_requested()) return;
    if (under_way_ == 0) continue;
    std::string trouble = trouble_();
    if (trouble.empty() && std::chrono::steady_clock::now() - since_ >= patience_.longest) {
      trouble =
          fmt::format("another rank did not answer for {} s",
                      std::chrono::duration_cast<std::chrono::seconds>(patience_.longest).count());
    }
    if (trouble.empty()) continue;
    given_up_ = std::move(trouble);
    lock.unlock();
    give_up_();
    return;
  }
}

}  // namespace spottrain::cuda
