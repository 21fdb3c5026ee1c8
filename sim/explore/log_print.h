// What a run's log says, without the lines of its faults: two runs with equal prints are the same.
#pragma once

#include <cstdint>
#include <string>

#include "sim/kernel/event.h"

namespace sim::explore {

class LogPrint {
 public:
  // Each line of the log, from the first on.
  void hear(const Event& line);

  std::uint64_t print() const { return print_; }
  // The instance that was launched last; empty: there is none.
  const std::string& newest_instance() const { return newest_instance_; }

 private:
  std::uint64_t print_ = 0;
  std::string newest_instance_;
};

}  // namespace sim::explore
