#include "sim/cli/validate.h"

#include <fmt/format.h>

#include "sim/cli/terminal_style.h"

namespace sim::cli {
namespace {

void validate_one(const ValidateCommand& command, const std::filesystem::path& file) {
  run::Scenario scenario = run::read_scenario(file, run::parse_overrides(command.set));
  const std::string found = fmt::format(
      "{} {}: {} pools with prices, {} interruptions, {} expectations",
      Styler(stdout)(Style::kGood, file.string() + ":"), scenario.name,
      scenario.prices.pools.size(), scenario.interruptions.size(), scenario.expect.size());
  if (command.guest.value_or(scenario.guest.kind) == run::GuestKind::kFiber)
    run::Prepared{std::move(scenario)};
  fmt::print("{}\n", found);
}

}  // namespace

int validate(const ValidateCommand& command) {
  int status = 0;
  for (const std::filesystem::path& file : command.scenarios) {
    try {
      validate_one(command, file);
    } catch (const std::runtime_error& error) {  // ScenarioError, RunError
      say(Style::kError, error.what());
      status = 2;
    }
  }
  return status;
}

}  // namespace sim::cli
