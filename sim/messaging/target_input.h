// What a rule's target receives of an event (EventBridge User Guide, "Amazon EventBridge input
// transformation").
#pragma once

#include <map>
#include <optional>
#include <string>

#include "sim/kernel/json_object.h"

namespace sim::messaging {

struct InputTransformer {
  std::map<std::string, std::string> paths;  // variable → "$.detail.state"
  std::string text;                          // "<state>" stands for the variable's value
};

// At most one of them is set. Without, a target receives the event.
struct TargetInput {
  std::optional<std::string> constant = {};  // Input
  std::optional<std::string> path = {};      // InputPath
  std::optional<InputTransformer> transformer = {};
};

// The reserved variables <aws.events.rule-arn> and <aws.events.rule-name>.
struct RuleNames {
  std::string arn, name;
};

// Throws ApiError ValidationException for more than one input, a path that is none, and a variable
// that is not defined.
void check(const TargetInput& input, const std::string& target_id);
std::string input_for(const TargetInput& input, const Json& event, const RuleNames& rule);

}  // namespace sim::messaging
