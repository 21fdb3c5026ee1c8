// A policy that is a program, as scenarios and sweeps write it: {command: PROGRAM}.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "sim/scenario/yaml_fields.h"

namespace sim::run {

// The text "command:WORDS" that policies read, of the mapping {command: PROGRAM} or {command:
// [PROGRAM, ARGUMENT …]}; a program with a slash in its name is where `locate` says. Empty: errors
// have been added.
std::string read_command_policy(
    const Value& mapping, const std::function<std::filesystem::path(const std::string&)>& locate);

}  // namespace sim::run
