// A hash of a run's log without the lines of its faults: two runs with equal hashes have equal
// logs.
#pragma once

#include <cstdint>
#include <string>

#include "sim/events/listeners.h"

namespace sim::explore {

class LogPrint {
 public:
  // Listens to each line of a log, from the first on. It hashes fields, because a search of
  // thousands of runs does not make the text.
  void listen(events::Listeners& log);

  std::uint64_t print() const { return print_; }
  // The instance that was launched last; or empty.
  const std::string& newest_instance() const { return newest_instance_; }

 private:
  void hear(const events::AnyEvent& line);

  std::uint64_t print_ = 0;
  std::string bytes_;  // bytes of the present line
  std::string newest_instance_;
};

}  // namespace sim::explore
