// Evaluates CloudFormation's intrinsic functions (Ref, Fn::Sub and so on) in a template's values.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "sim/stacks/pseudo_parameters.h"
#include "sim/stacks/template.h"

namespace sim::stacks {

// Everything that a template's functions may refer to.
struct Names {
  const Template& of;
  const PseudoParameters& pseudo;
  const std::map<std::string, Json>& parameters;  // the value is a string or a list of strings
  const std::map<std::string, bool>& conditions;
  // The values of Ref and of Fn::GetAtt for a resource.
  std::function<Json(const std::string& resource)> ref;
  std::function<Json(const std::string& resource, const std::string& attribute)> attribute;
  std::function<std::string(const std::string& export_name)> import;
  std::function<std::vector<std::string>(const std::string& region)> zones;
};

// Evaluates all functions in `value`. Returns null for AWS::NoValue. Throws ApiError
// ValidationError with the service's message.
Json evaluate(const Json& value, const Names& names);

// Replaces each Fn::If in `value` by its selected branch. `conditions` must contain every
// condition.
Json decide_ifs(const Json& value, const std::map<std::string, bool>& conditions);

// Evaluates all conditions of a template. Throws as evaluate() does, and if conditions depend on
// each other in a circle.
std::map<std::string, bool> evaluate_conditions(const Template& of, const PseudoParameters& pseudo,
                                                const std::map<std::string, Json>& parameters);

}  // namespace sim::stacks
