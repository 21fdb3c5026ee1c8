// Reads `traces` of a sweep file: the windows on which its policies run.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sim/scenario/yaml_fields.h"
#include "sim/ticks/windows.h"

namespace sim::sweep {

// The parts of the sweep that its windows depend on.
struct WindowNeeds {
  std::filesystem::path sweep;  // paths are relative to its folder
  Duration tick{};              // zero after an error: no windows are made
  ticks::MoveCosts moves{};
  // For warnings: the policies and settings that use the windows.
  std::vector<std::string> policies{};
  std::vector<ticks::TickJob> settings{};
  scenario::Errors* warnings = nullptr;
  std::vector<std::string>* odd_traces = nullptr;  // receives the warnings of readers about files
};

// Reads the traces and cuts or draws all windows. Adds errors about the sweep and the traces.
std::vector<ticks::Window> read_windows(scenario::Fields& fields, const WindowNeeds& needs);

}  // namespace sim::sweep
