// A hash of a run's log without the lines of its faults: two runs with equal hashes have equal
// logs.
#pragma once

#include <cstdint>
#include <string>

#include "sim/events/listeners.h"

namespace sim::explore {

class LogPrint {
 public:
  // Hears each line of a log, from the first on. It hashes the fields and not the text, which a
  // search of thousands of runs does not make.
  void listen(events::Listeners& log);

  std::uint64_t print() const { return print_; }
  // The instance that was launched last; empty: there is none.
  const std::string& newest_instance() const { return newest_instance_; }

 private:
  void hear(const events::AnyEvent& line);

  std::uint64_t print_ = 0;
  std::string bytes_;  // of the line at hand
  std::string newest_instance_;
};

}  // namespace sim::explore
