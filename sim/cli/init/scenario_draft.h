// The scenario that `spotsim init` writes.
#pragma once

#include <string>

#include "sim/cli/init/init_command.h"
#include "sim/cli/init/script_facts.h"

namespace sim::cli {

// The scenario's text. `progress` is its block of that name, with the key `evidence`. Comments say
// where each value comes from. Throws TraceError "FILE:LINE: FIELD: found …, expected …" for a file
// that cannot be read.
std::string draft_scenario(const InitCommand& command, const std::string& progress);

// What the user data shows. Nothing, if there is none.
ScriptFacts facts_of_user_data(const InitCommand& command);

// A YAML scalar in single quotes.
std::string quoted(std::string text);

}  // namespace sim::cli
