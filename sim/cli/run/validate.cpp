#include "sim/cli/run/validate.h"

#include <fmt/format.h>

#include "sim/cli/terminal/terminal_style.h"
#include "sim/run/missing_programs.h"
#include "sim/run/uncommitted_code.h"

namespace sim::cli {
namespace {

std::string counted(std::size_t count, const char* one, const char* many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

void warn(const std::filesystem::path& file, const std::string& text) {
  say(Style::kWarning, fmt::format("{}: warning: {}", file.string(), text));
}

void warn_of_this_machine(const scenario::Scenario& scenario, std::optional<guest::Level> level) {
  if (const std::string refusal = run::refusal_here(scenario, level); !refusal.empty())
    warn(scenario.file, refusal);
  for (const std::string& program : run::missing_programs(scenario)) warn(scenario.file, program);
  for (const std::string& code : run::uncommitted_code(scenario)) warn(scenario.file, code);
}

void validate_one(const ValidateCommand& command, const std::filesystem::path& file) {
  scenario::Scenario scenario =
      scenario::read_scenario(file, scenario::parse_overrides(command.set));
  const std::string found = fmt::format(
      "{} {}: {}, {}, {}{}", Styler(stdout)(Style::kGood, file.string() + ":"), scenario.name,
      counted(scenario.prices.pools.size(), "pool", "pools") + " with prices",
      counted(scenario.interruptions.size(), "interruption", "interruptions"),
      counted(scenario.expect.size(), "expectation", "expectations"),
      scenario.faults.empty() ? "" : ", " + counted(scenario.faults.size(), "fault", "faults"));
  for (const std::string& warning : scenario.warnings) say(Style::kWarning, warning);
  if (command.guest.value_or(scenario.guest.kind) == scenario::GuestKind::kFiber) {
    run::Prepared{std::move(scenario)};
  } else {
    warn_of_this_machine(scenario, command.level);
  }
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
