#include "sim/cli/unknown_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <vector>

#include "base/nearest.h"

namespace sim::cli {
namespace {

// In the order of the help.
std::vector<const CLI::App*> commands_of(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

std::string expected_one(const CLI::App& app, const std::string& found) {
  std::vector<std::string> names;
  for (const CLI::App* command : commands_of(app)) names.push_back(command->get_name());
  const auto meant = base::nearest(found, {names.begin(), names.end()});
  return fmt::format("expected {} {} (--help says more)",
                     meant ? fmt::format("\"{}\"; there are", *meant) : "one of",
                     fmt::join(names, ", "));
}

}  // namespace

std::optional<std::string> unknown_command(const CLI::App& app,
                                           std::span<const char* const> words) {
  const CLI::App* at = &app;
  std::string name = app.get_name();
  for (const std::string word : words) {
    if (at->get_require_subcommand_min() == 0 || word.starts_with('-')) return {};
    const auto commands = commands_of(*at);
    const auto found = std::ranges::find(commands, word, &CLI::App::get_name);
    if (found == commands.end())
      return fmt::format("{}: found unknown command \"{}\", {}", name, word,
                         expected_one(*at, word));
    at = *found;
    name += " " + word;
  }
  if (at->get_require_subcommand_min() == 0) return {};
  return fmt::format("{}: found no command, {}", name, expected_one(*at, ""));
}

}  // namespace sim::cli
