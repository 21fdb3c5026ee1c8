// Measures where the time of an engine's passes goes.
#pragma once

#include <chrono>
#include <string>
#include <utility>
#include <vector>

namespace spottrain {

// The time of threads by layer, in the network's order.
class Profile {
 public:
  Profile(std::vector<std::string> layers, int threads);
  void add(std::size_t layer, int thread, double seconds);
  // The seconds since the last call ÷ number of threads, slowest layer first.
  std::vector<std::pair<std::string, double>> take();

 private:
  std::vector<std::string> layers_;
  std::vector<std::vector<double>> seconds_;  // [thread][layer]
};

// Calls work() and counts its time for a layer; `profile` may be null.
template <typename Work>
void timed(Profile* profile, std::size_t layer, int thread, Work work) {
  if (!profile) return work();
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  work();
  const std::chrono::duration<double> took = Clock::now() - start;
  profile->add(layer, thread, took.count());
}

}  // namespace spottrain
