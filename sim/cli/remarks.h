// What a run is not failed for, but hardly meant: it launched nothing, an instance's user data is
// no script, or a guest's progress lines could not be read.
#pragma once

#include <cstdint>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "sim/kernel/event.h"

namespace sim::cli {

class Remarks {
 public:
  void hear(const Event& event);
  // A sentence each. `consoles` is the run's folder of what its machines printed; empty: there is
  // none.
  std::vector<std::string> all(const std::filesystem::path& consoles) const;

 private:
  std::set<std::string> launched_;    // instances
  bool operator_failed_ = false;      // which is told with its status
  std::vector<std::string> refused_;  // calls of the operator: "RunInstances (its error code)"
  std::int64_t bad_lines_ = 0;
  std::string first_bad_;  // "i-…: the line"
};

}  // namespace sim::cli
