#include "sim/run/missing_programs.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/files/whole_file.h"
#include "base/json/json_text.h"

namespace sim::run {
namespace {

namespace fs = std::filesystem;

// The filesystem that spotrun makes for a job file. Empty: the file is not a job file.
std::string filesystem_of(const fs::path& file) {
  const std::string text = base::read_file(file).value_or("");
  const auto json = nlohmann::json::parse(text, nullptr, false);
  if (!json.is_object() || !json.contains("volume") || !json.contains("train")) return {};
  const std::string filesystem = base::text_of(json["volume"], "filesystem");
  return filesystem.empty() ? "xfs" : filesystem;  // default in docs/spotrun.md
}

std::vector<fs::path> json_files(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored))
    if (entry.path().extension() == ".json" && entry.is_regular_file(ignored))
      files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

}  // namespace

std::vector<std::string> missing_programs(const scenario::Scenario& scenario,
                                          const std::vector<fs::path>& folders) {
  std::vector<std::string> missing;
  const auto has = [&](const std::string& program) {
    std::error_code ignored;
    return std::ranges::any_of(folders, [&](const fs::path& folder) {
      return fs::is_regular_file(folder / program, ignored);
    });
  };
  for (const fs::path& file : json_files(scenario.operator_folder)) {
    const std::string filesystem = filesystem_of(file);
    if (!filesystem.empty() && !has("mkfs." + filesystem))
      missing.push_back(fmt::format(
          "{}: volume.filesystem: found {}, expected one that this machine can make: there is no "
          "mkfs.{}",
          file.string(), filesystem, filesystem));
  }
  if (!scenario.code.empty() && !has("git"))
    missing.emplace_back("code: expected git on this machine, which instances clone it with");
  return missing;
}

}  // namespace sim::run
