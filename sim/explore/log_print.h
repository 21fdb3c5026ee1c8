// A hash of a run's log without the lines of its faults: two runs with equal hashes have equal
// logs.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "sim/kernel/event.h"
#include "sim/kernel/event_log.h"

namespace sim::explore {

class LogPrint {
 public:
  // Each line of the log, from the first on. A plain event is hashed without its text, as most
  // lines are plain, and a search hashes thousands of logs.
  void hear(const Event& line);
  void hear(const PlainEvent& line);

  std::uint64_t print() const { return print_; }
  // The instance that was launched last; empty: there is none.
  const std::string& newest_instance() const { return newest_instance_; }

 private:
  void add(std::string_view bytes);
  template <class Line>
  void note_instance(const Line& line);

  std::uint64_t print_ = 0;
  std::string bytes_;  // of the line at hand
  std::string newest_instance_;
};

}  // namespace sim::explore
