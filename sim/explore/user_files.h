// Lists the user's files in a folder that a scenario names.
#pragma once

#include <filesystem>
#include <vector>

namespace sim::explore {

// The files in a folder and its subfolders, sorted. Output folders of spotsim are left out: a
// scenario often names its own folder, in which spotsim then writes.
std::vector<std::filesystem::path> user_files(const std::filesystem::path& folder);

}  // namespace sim::explore
