// Watches a device that waits for other ranks. So the loss of a rank becomes an error instead of an
// endless wait.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace spottrain::cuda {

// Owns the thread that polls. The caller marks the begin and the end of each piece of work.
class Watchdog {
 public:
  struct Patience {
    std::chrono::milliseconds interval{1000};    // between two calls of `trouble`
    std::chrono::milliseconds longest{600'000};  // the maximum duration of work
  };
  // `trouble` returns the problem with the ranks, or an empty text. `give_up` aborts the device's
  // work. A thread of the watchdog calls both while work is in progress, and give_up at most once.
  Watchdog(std::function<std::string()> trouble, std::function<void()> give_up, Patience patience);
  ~Watchdog();
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

  // Work begins. Pieces of work may overlap.
  void begin();
  // The oldest piece is done. Throws std::runtime_error with the reason if it was aborted.
  void end();

 private:
  void watch(const std::stop_token& stop);

  const std::function<std::string()> trouble_;
  const std::function<void()> give_up_;
  const Patience patience_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  int under_way_ = 0;
  std::chrono::steady_clock::time_point since_;  // when work last began or ended
  std::string given_up_;
  std::jthread thread_;
};

}  // namespace spottrain::cuda
