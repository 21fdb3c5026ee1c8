// The intrinsic functions: a template's values with everything filled in.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "sim/stacks/pseudo_parameters.h"
#include "sim/stacks/template.h"

namespace sim::stacks {

// What a stack's template may refer to.
struct Names {
  const Template& of;
  const PseudoParameters& pseudo;
  const std::map<std::string, Json>& parameters;  // a string, or a list of strings
  const std::map<std::string, bool>& conditions;
  // The value of Ref and of Fn::GetAtt for a resource that exists.
  std::function<Json(const std::string& resource)> ref;
  std::function<Json(const std::string& resource, const std::string& attribute)> attribute;
  std::function<std::string(const std::string& export_name)> import;
  std::function<std::vector<std::string>(const std::string& region)> zones;
};

// The value; null where it is AWS::NoValue. Throws ApiError ValidationError in the service's words.
Json evaluate(const Json& value, const Names& names);

// The value with each Fn::If replaced by the branch that is taken. Its conditions are known.
Json decide_ifs(const Json& value, const std::map<std::string, bool>& conditions);

// All conditions of a template. Throws as evaluate(), and for conditions that need each other.
std::map<std::string, bool> evaluate_conditions(const Template& of, const PseudoParameters& pseudo,
                                                const std::map<std::string, Json>& parameters);

}  // namespace sim::stacks
