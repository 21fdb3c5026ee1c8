#include "sim/result/missing_action.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <fstream>

#include "sim/result/cause.h"

namespace sim::result {
namespace {

constexpr std::array<std::string_view, 3> kMissing{"NotImplemented", "InvalidAction",
                                                   "UnknownOperationException"};

// The number and the text of the first line of this console with the action's error.
std::string line_with(const std::filesystem::path& console, const std::string& action) {
  std::ifstream in(console);
  int number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    const bool error = std::ranges::any_of(
        kMissing, [&line](std::string_view name) { return line.find(name) != line.npos; });
    if (!error || line.find(action) == line.npos) continue;
    if (line.ends_with('\r')) line.pop_back();
    return fmt::format(":{}: {}", number, line.substr(0, 160));
  }
  return "";
}

}  // namespace

bool is_of_missing_action(std::string_view error) {
  return std::ranges::find(kMissing, error) != kMissing.end();
}

std::string bare_action(std::string_view action) {
  const bool is_path = action.find('/') != action.npos;
  return std::string(is_path ? action : action.substr(action.rfind('.') + 1));
}

std::string action_of(std::string_view service, std::string_view action) {
  const std::string name = bare_action(action);
  return service.empty() || service == "ec2" ? name : fmt::format("{} {}", service, name);
}

std::string in_words(const MissingAction& missing, const std::filesystem::path& folder) {
  const std::string console = console_of(missing.caller);
  const std::string line = folder.empty() ? "" : line_with(folder / console, missing.action);
  return fmt::format("{} ({}: {}{})", action_of(missing.service, missing.action), missing.caller,
                     console, line);
}

std::string sentence_on(const std::vector<MissingAction>& missing,
                        const std::filesystem::path& folder) {
  if (missing.empty()) return "";
  std::vector<std::string> actions;
  for (const MissingAction& one : missing) actions.push_back(in_words(one, folder));
  return fmt::format("the simulated AWS does not support {}: {}", fmt::join(actions, ", "),
                     kOfMissingActions);
}

}  // namespace sim::result
