// Where the guests' programs lie.
#pragma once

#include <filesystem>

namespace sim::cli {

// The folder with spotrun and spottrain: beside spotsim's own binary, as the build and the
// installation put them. Throws std::runtime_error when they are not there.
std::filesystem::path programs_folder();

}  // namespace sim::cli
