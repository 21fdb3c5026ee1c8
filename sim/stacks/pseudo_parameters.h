// The parameters that CloudFormation itself defines (User Guide, "Pseudo parameters reference").
#pragma once

#include <string>
#include <string_view>

#include "sim/kernel/json_object.h"

namespace sim::stacks {

struct PseudoParameters {
  std::string account_id, region, stack_name, stack_id;
  Json notification_arns = Json::array();
};

bool is_pseudo_parameter(std::string_view name);
// Returns the value of the pseudo parameter `name`. Returns null for AWS::NoValue.
Json pseudo_value(std::string_view name, const PseudoParameters& of);

}  // namespace sim::stacks
