// The `traces` of a sweep file: the windows that its policies run on.
#pragma once

#include <filesystem>
#include <vector>

#include "sim/scenario/yaml_fields.h"
#include "sim/ticks/windows.h"

namespace sim::run {

// What the rest of the sweep says of its windows.
struct WindowNeeds {
  std::filesystem::path sweep;  // the file, whose folder paths start from
  Duration tick{};              // zero while it is wrong: no window is made
  sweep::MoveCosts moves{};
};

// Reads the traces that are named and cuts or draws all windows. What is wrong with the sweep is
// recorded; throws market::TraceError for a trace that cannot be read.
std::vector<sweep::Window> read_windows(Fields& fields, const WindowNeeds& needs);

}  // namespace sim::run
