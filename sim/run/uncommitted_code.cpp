#include "sim/run/uncommitted_code.h"

#include <fmt/format.h>

#include <filesystem>
#include <sstream>

#include "base/process/process.h"

namespace sim::run {
namespace {

namespace fs = std::filesystem;

// The changed files as `git status` lists them: two letters of state, a space, the name. Git's
// configuration applies (which files it ignores), except the check of the folder's owner. Nothing
// is written to the folder.
std::vector<std::string> changed_files(const fs::path& repository) {
  const base::ProcessEnd end =
      base::run_process({.argv = {"git", "status", "--porcelain"},
                         .folder = repository,
                         .environment = {{"GIT_CONFIG_COUNT", "1"},
                                         {"GIT_CONFIG_KEY_0", "safe.directory"},
                                         {"GIT_CONFIG_VALUE_0", "*"},
                                         {"GIT_OPTIONAL_LOCKS", "0"}}});
  std::vector<std::string> files;
  if (end.status != 0) return files;
  std::istringstream lines(end.output);
  for (std::string line; std::getline(lines, line);)
    if (line.size() > 3) files.push_back(line.substr(3));
  return files;
}

}  // namespace

std::vector<std::string> uncommitted_code(const scenario::Scenario& scenario) {
  std::vector<std::string> told;
  for (const auto& [url, folder] : scenario.code) {
    std::error_code none;
    if (!fs::exists(folder / ".git", none)) continue;
    std::vector<std::string> files;
    try {
      files = changed_files(folder);
    } catch (const std::runtime_error&) {
      continue;  // git is missing
    }
    if (files.empty()) continue;
    told.push_back(fmt::format(
        "code.{}: {} has {} that {} not committed ({}{}): instances clone committed files only",
        url, folder.string(), files.size() == 1 ? "a file" : fmt::format("{} files", files.size()),
        files.size() == 1 ? "is" : "are", files[0], files.size() == 1 ? "" : ", …"));
  }
  return told;
}

}  // namespace sim::run
