#include "sim/cli/validate.h"

#include <fmt/format.h>

#include "sim/scenario/scenario.h"

namespace sim::cli {

int validate(const ValidateCommand& command) {
  int status = 0;
  for (const std::filesystem::path& file : command.scenarios) {
    try {
      const run::Scenario scenario = run::read_scenario(file, run::parse_overrides(command.set));
      fmt::print("{}: {}: {} pools with prices, {} interruptions, {} expectations\n", file.string(),
                 scenario.name, scenario.prices.pools.size(), scenario.interruptions.size(),
                 scenario.expect.size());
    } catch (const run::ScenarioError& error) {
      fmt::print(stderr, "{}\n", error.what());
      status = 2;
    }
  }
  return status;
}

}  // namespace sim::cli
