#include "sim/explore/identity.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <filesystem>

#include "base/files/whole_file.h"
#include "sim/explore/user_files.h"

namespace sim::explore {
namespace {

namespace fs = std::filesystem;

std::string print(const std::string& bytes) {
  return fmt::format("{:016x}", XXH3_64bits(bytes.data(), bytes.size()));
}

// A hash of a file's bytes, or of the user's files in a folder by name.
std::string print_of(const fs::path& path) {
  std::error_code ignored;
  if (!fs::is_directory(path, ignored))
    return print(base::read_file(path, base::kNoLimit).value_or(""));
  std::string all;
  for (const fs::path& file : user_files(path))
    all += file.lexically_relative(path).string() + '\0' + print_of(file) + '\0';
  return print(all);
}

}  // namespace

Identity identity(const Runner& runner, const scenario::Overrides& overrides) {
  const scenario::Scenario& scenario = runner.scenario();
  std::string values;
  for (const scenario::Override& value : overrides) values += value.key + '=' + value.value + '\0';
  Identity all{{"seed", std::to_string(runner.seed())},
               {"kind of guest", runner.fibers() ? "fiber" : "process"},
               {"--set", print(values)},
               {"program spotsim", print_of("/proc/self/exe")}};
  if (!runner.fibers())
    for (const std::string program : {"spotrun", "spottrain"})
      all["program " + program] = print_of(runner.programs() / program);
  const fs::path folder = fs::absolute(scenario.given_as).parent_path();
  const auto add = [&](const fs::path& path) {
    all[fs::relative(path, folder).string()] = print_of(path);
  };
  for (const fs::path& file : scenario.read_from) add(file);
  for (const std::string& input : scenario.inputs) add(scenario.file.parent_path() / input);
  return all;
}

std::vector<std::string> differing(const Identity& a, const Identity& b) {
  std::vector<std::string> names;
  for (const auto& [name, value] : a)
    if (const auto other = b.find(name); other == b.end() || other->second != value)
      names.push_back(name);
  for (const auto& [name, value] : b)
    if (!a.contains(name)) names.push_back(name);
  std::ranges::sort(names);
  return names;
}

}  // namespace sim::explore
