#include "sim/cli/validate.h"

#include <fmt/format.h>

#include "sim/run/scenario.h"

namespace sim::cli {

int validate(const std::vector<std::filesystem::path>& scenarios) {
  int status = 0;
  for (const std::filesystem::path& file : scenarios) {
    try {
      const run::Scenario scenario = run::read_scenario(file);
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
