// Checks and resolves the values of a template's parameters.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>

#include "sim/stacks/template.h"

namespace sim::stacks {

// A parameter in a client's request.
struct GivenParameter {
  std::optional<std::string> value;
  bool use_previous = false;
};

struct ParameterValues {
  std::map<std::string, std::string> texts;     // as given, or the default
  std::map<std::string, std::string> resolved;  // the values that were read from Parameter Store
  std::map<std::string, Json> values;           // as Ref returns them
};

// Checks the given values against the definitions. `previous` are the values of the stack's last
// operation. `store` looks up a name in Systems Manager's Parameter Store. Throws ApiError
// ValidationError.
ParameterValues parameter_values(
    const Template& of, const std::map<std::string, GivenParameter>& given,
    const std::map<std::string, std::string>& previous,
    const std::function<std::optional<std::string>(const std::string& name)>& store);

}  // namespace sim::stacks
