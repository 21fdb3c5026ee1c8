#include "sim/run/missing_programs.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>

#include "base/json_text.h"
#include "base/whole_file.h"

namespace sim::run {
namespace {

namespace fs = std::filesystem;

// The filesystem that spotrun makes for a job file; empty: the file is none.
std::string filesystem_of(const fs::path& file) {
  std::ifstream in(file);
  const auto json = nlohmann::json::parse(in, nullptr, false);
  if (!json.is_object() || !json.contains("volume") || !json.contains("train")) return {};
  const std::string filesystem = base::text_of(json["volume"], "filesystem");
  return filesystem.empty() ? "xfs" : filesystem;  // as docs/spotrun.md has it
}

std::vector<fs::path> json_files(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored))
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

bool calls_aws(const std::string& script) {
  static const std::regex call("(^|[\\s;|&(])aws\\s");
  return std::regex_search(script, call);
}

// Whether the operator's script, or a file beside it, such as user data, has crontabs.
bool uses_cron(const Scenario& scenario) {
  const auto has_crontab = [](const std::string& text) {
    return text.find("crontab") != text.npos || text.find("/etc/cron.") != text.npos;
  };
  if (has_crontab(scenario.operator_script)) return true;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(scenario.operator_folder, ignored))
    if (entry.is_regular_file(ignored) && entry.file_size(ignored) <= 65536 &&
        has_crontab(base::read_file(entry.path()).value_or("")))
      return true;
  return false;
}

}  // namespace

std::vector<std::string> missing_programs(const Scenario& scenario,
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
  if (calls_aws(scenario.operator_script) && !has("aws"))
    missing.emplace_back("operator.script: calls aws, expected aws-cli on this machine");
  if (uses_cron(scenario) && !has("cron"))
    missing.emplace_back("operator: has crontabs, expected cron on this machine to run them");
  return missing;
}

}  // namespace sim::run
