// The output folders of `spotsim run`, and the commands that repeat a run.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "sim/cli/run/run.h"

namespace sim::cli {

// The folder of the run with this seed.
std::filesystem::path output_of(const RunCommand& command, const scenario::Scenario& scenario,
                                std::uint64_t seed);

// The command that repeats this run.
std::string reproduce(const RunCommand& command, const scenario::Scenario& scenario,
                      std::uint64_t seed);

// The command that repeats this run and prints the first event that differs.
std::string replay(const RunCommand& command, const scenario::Scenario& scenario,
                   std::uint64_t seed, const std::filesystem::path& output);

// Writes the command for `spotsim report`, because neither the log nor the result names the
// scenario's file. Throws std::runtime_error.
void write_command(const std::filesystem::path& file, const RunCommand& command,
                   const scenario::Scenario& scenario, std::uint64_t seed);

// The folder with spotrun and spottrain; empty for fiber guests, which need none. Throws
// std::runtime_error.
std::filesystem::path programs_of(const RunCommand& command, const scenario::Scenario& scenario);

}  // namespace sim::cli
