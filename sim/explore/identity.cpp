#include "sim/explore/identity.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "base/whole_file.h"

namespace sim::explore {
namespace {

namespace fs = std::filesystem;

// A file's bytes; of a folder all that is in it, by name.
void add(const fs::path& path, std::string& all) {
  std::error_code ignored;
  if (!fs::is_directory(path, ignored)) {
    all += path.string() + '\0' + base::read_file(path).value_or("") + '\0';
    return;
  }
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(path, ignored))
    if (entry.is_regular_file(ignored)) files.push_back(entry.path());
  std::ranges::sort(files);
  for (const fs::path& file : files) add(file, all);
}

}  // namespace

std::string identity(const Runner& runner, const run::Overrides& overrides) {
  const run::Scenario& scenario = runner.scenario();
  std::string all = fmt::format("{} {} ", runner.seed(), runner.fibers());
  for (const run::Override& value : overrides) all += value.key + '=' + value.value + '\0';
  add("/proc/self/exe", all);
  if (!runner.fibers())
    for (const char* program : {"spotrun", "spottrain"}) add(runner.programs() / program, all);
  for (const fs::path& file : scenario.read_from) add(file, all);
  for (const std::string& input : scenario.inputs) add(scenario.file.parent_path() / input, all);
  if (!scenario.operator_folder.empty()) add(scenario.operator_folder, all);
  for (const auto& [url, folder] : scenario.code) add(folder, all);
  return fmt::format("{:016x}", XXH3_64bits(all.data(), all.size()));
}

}  // namespace sim::explore
