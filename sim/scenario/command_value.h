// Reads a policy that is a program: {command: PROGRAM} in scenarios and sweeps.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "sim/scenario/yaml_fields.h"

namespace sim::scenario {

// Converts the mapping {command: PROGRAM} or {command: [PROGRAM, ARGUMENT …]} to the text
// "command:WORDS" for policies. `locate` resolves a program with a slash in its name. Empty after
// errors.
std::string read_command_policy(
    const Value& mapping, const std::function<std::filesystem::path(const std::string&)>& locate);

}  // namespace sim::scenario
