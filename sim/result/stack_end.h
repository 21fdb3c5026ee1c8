// The last state of each CloudFormation stack, for results.
#pragma once

#include <string>
#include <vector>

namespace sim::result {

// A stack and its last status, which is DELETE_COMPLETE if it no longer exists.
struct StackEnd {
  std::string name, id, status, reason;
  std::vector<std::string> skipped;  // resource types that the scenario told CloudFormation to skip
};

}  // namespace sim::result
