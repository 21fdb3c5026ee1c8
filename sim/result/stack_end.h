// CloudFormation's stacks, as a result has them.
#pragma once

#include <string>
#include <vector>

namespace sim::run {

// A stack and its last status. One that still exists has another status than DELETE_COMPLETE.
struct StackEnd {
  std::string name, id, status, reason;
  std::vector<std::string> skipped;  // resource types that the scenario let it pass over
};

}  // namespace sim::run
