// A thread that asks instance metadata for an interruption notice, so that training does not wait.
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
  std::chrono::milliseconds interval{5'000};  // AWS recommends to look every five seconds
  std::chrono::milliseconds timeout{10'000};  // of a request: late is not down
  // Called on the thread when the service begins to fail, with the reason, and when it answers
  // again.
  std::function<void(const std::string&)> report = [](const std::string&) {};
};

class ImdsWatch {
 public:
  // Looks at once, then at every interval. Only a well-formed document that came with 200 is a
  // notice. Throws std::invalid_argument for the endpoint.
  explicit ImdsWatch(ImdsWatchOptions options);
  ~ImdsWatch();
  ImdsWatch(const ImdsWatch&) = delete;
  ImdsWatch& operator=(const ImdsWatch&) = delete;

  // The notice, once there was one; as cheap as reading a flag until then.
  std::optional<Notice> notice() const;
  // True once a rebalance recommendation came.
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
