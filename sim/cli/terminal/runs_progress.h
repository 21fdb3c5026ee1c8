// The progress of runs that take seconds: their number beforehand, an estimate after the first one,
// and a line on a terminal.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>

#include "sim/cli/terminal/live_line.h"

namespace sim::cli {

// Writes to stderr, because stdout is for results.
class RunsProgress {
 public:
  using Clock = std::function<std::chrono::steady_clock::time_point()>;

  // `all` runs, at most `at_once` of them at a time. Writes nothing if `quiet`.
  RunsProgress(std::string name, std::size_t all, std::size_t at_once, bool quiet,
               Clock now = std::chrono::steady_clock::now);

  void add();  // a run is complete
  void clear() { line_.clear(); }

 private:
  std::string name_;
  std::size_t all_, at_once_, done_ = 0;
  bool quiet_;
  LiveLine line_;
  Clock now_;
  std::chrono::steady_clock::time_point begin_;
};

}  // namespace sim::cli
