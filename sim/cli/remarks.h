// What a run is not failed for, but hardly meant: it launched nothing, or a guest's progress lines
// could not be read.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/kernel/event.h"

namespace sim::cli {

class Remarks {
 public:
  void hear(const Event& event);
  // A sentence each.
  std::vector<std::string> all() const;

 private:
  bool launched_ = false;
  std::vector<std::string> refused_;  // calls of the operator: "RunInstances (its error code)"
  std::int64_t bad_lines_ = 0;
  std::string first_bad_;  // "i-…: the line"
};

}  // namespace sim::cli
