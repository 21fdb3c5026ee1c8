// The `traces` of a sweep file: the windows that its policies run on.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sim/scenario/yaml_fields.h"
#include "sim/ticks/windows.h"

namespace sim::run {

// What the rest of the sweep says of its windows.
struct WindowNeeds {
  std::filesystem::path sweep;  // the file, whose folder paths start from
  Duration tick{};              // zero while it is wrong: no window is made
  sweep::MoveCosts moves{};
  // For warnings: who runs on them, and what.
  std::vector<std::string> policies{};
  std::vector<sweep::TickJob> settings{};
  Errors* warnings = nullptr;
  std::vector<std::string>* odd_traces = nullptr;  // what is odd about a file, as its reader says
};

// Reads the traces that are named and cuts or draws all windows. What is wrong with the sweep or
// with a trace is recorded.
std::vector<sweep::Window> read_windows(Fields& fields, const WindowNeeds& needs);

}  // namespace sim::run
