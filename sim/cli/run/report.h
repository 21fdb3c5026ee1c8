// The page of a run, which `spotsim report RUN` and `spotsim run --report` write.
#pragma once

#include <filesystem>

namespace sim::cli {

// Throws std::runtime_error where the run's files are not as expected, the page cannot be written,
// or this build has none.
void write_report(const std::filesystem::path& run, const std::filesystem::path& page);

// Where the page of a run is by default.
inline std::filesystem::path page_in(const std::filesystem::path& run) {
  return run / "report.html";
}

}  // namespace sim::cli
