// The page of a run or a sweep, which `spotsim report FOLDER` and `spotsim run --report` write.
#pragma once

#include <filesystem>

namespace sim::cli {

// Throws std::runtime_error if the folder's files are not as expected, if the page cannot be
// written, or if this build has none.
void write_report(const std::filesystem::path& folder, const std::filesystem::path& page);

// The default path of the page.
inline std::filesystem::path page_in(const std::filesystem::path& folder) {
  return folder / "report.html";
}

}  // namespace sim::cli
