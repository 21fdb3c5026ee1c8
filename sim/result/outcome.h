// How a run ended, told from its events.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "sim/kernel/event_log.h"

namespace sim::run {

class Outcome {
 public:
  void hear(const Event& event);
  static bool wants(std::string_view kind);

  enum class End { kAllDown, kLimit, kNothingCanHappen };
  // "completed": all is down and the trainer finished, or, when none reported, every script
  // succeeded. "failed": a script, the trainer or the orchestrator did. Else "deadline" or "stuck".
  std::string verdict(End end) const;

 private:
  bool failed() const;

  bool trained_ = false, finished_ = false, orchestrator_failed_ = false;
  int operator_status_ = 0;
  std::map<std::string, int> statuses_;  // of the instances' user data
};

}  // namespace sim::run
