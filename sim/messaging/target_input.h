// The text that a rule's target receives for an event (EventBridge User Guide, "Amazon EventBridge
// input transformation").
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

// How a target's input is made. At most one member is set. If none is set, the target receives the
// event.
struct TargetInput {
  std::optional<std::string> constant = {};  // Input
  std::optional<std::string> path = {};      // InputPath
  std::optional<InputTransformer> transformer = {};
};

// The reserved variables <aws.events.rule-arn> and <aws.events.rule-name>.
struct RuleNames {
  std::string arn, name;
};

// Throws ApiError ValidationException for more than one input, for an invalid path, and for an
// undefined variable.
void check(const TargetInput& input, const std::string& target_id);
std::string input_for(const TargetInput& input, const Json& event, const RuleNames& rule);

}  // namespace sim::messaging
