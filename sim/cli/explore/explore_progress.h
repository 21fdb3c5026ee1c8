// The messages of `spotsim explore` before and during a search.
#pragma once

#include <chrono>
#include <functional>
#include <string>

#include "sim/explore/search.h"

namespace sim::cli {

// "az-hop: 9873 single faults at 315 points, 9873 runs with fiber guests, some 31 s". If --time
// permits fewer runs: "…, some 90 of 400 runs with process guests in 5 min (--time)".
std::string forecast_line(const std::string& scenario, bool fibers,
                          const explore::Forecast& forecast);

// On a terminal, a line that is overwritten. Elsewhere, an occasional line for a log.
class ExploreProgress {
 public:
  using Clock = std::function<std::chrono::steady_clock::time_point()>;
  static constexpr std::chrono::seconds kInterval{10};  // between two lines of a log

  ExploreProgress(bool terminal, std::function<void(const std::string&)> write,
                  Clock clock = std::chrono::steady_clock::now);

  void hear(const std::string& stage, std::size_t done, std::size_t all);

 private:
  bool terminal_;
  std::function<void(const std::string&)> write_;
  Clock clock_;
  std::chrono::steady_clock::time_point last_;
};

}  // namespace sim::cli
