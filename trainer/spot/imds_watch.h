// A thread that polls instance metadata for an interruption notice, so that training does not wait.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "trainer/spot/imds.h"
#include "trainer/spot/notice.h"

namespace spottrain {

struct ImdsWatchOptions {
  std::string endpoint = imds_endpoint();
  std::chrono::milliseconds interval{5'000};  // AWS recommends to poll every five seconds
  std::chrono::milliseconds timeout{10'000};  // for a request; a late answer is still an answer
  // Called on the thread when the service begins to fail, with the reason, and when it answers
  // again.
  std::function<void(const std::string&)> report = [](const std::string&) {};
};

// Owns the thread. The training thread reads notice() and rebalance() after each step and never
// waits for the network.
class ImdsWatch {
 public:
  // Polls at once and then at every interval. Only a well-formed document with status 200 is a
  // notice. Throws std::invalid_argument for a bad endpoint.
  explicit ImdsWatch(ImdsWatchOptions options);
  ~ImdsWatch();
  ImdsWatch(const ImdsWatch&) = delete;
  ImdsWatch& operator=(const ImdsWatch&) = delete;

  // The notice, if one was received. Until then the call only reads a flag.
  std::optional<Notice> notice() const;
  // True after a rebalance recommendation.
  bool rebalance() const { return rebalance_.load(std::memory_order_acquire); }

 private:
  void run();
  // The body found at this path; failures are reported.
  std::optional<std::string> look(const std::string& path);
  void look_for_notice();
  void look_for_recommendation();

  ImdsWatchOptions options_;
  Imds imds_;
  bool failing_ = false;
  std::atomic<bool> noticed_{false}, rebalance_{false};
  mutable std::mutex mutex_;  // of notice_
  Notice notice_;
  std::thread thread_;
};

}  // namespace spottrain
