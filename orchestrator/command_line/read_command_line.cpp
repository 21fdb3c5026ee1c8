#include "orchestrator/command_line/read_command_line.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <stdexcept>

#include "base/command_line_error.h"

namespace spotrun {
namespace {

// Refuses empty texts. They mostly come from unset variables of a script.
void refuse_empty(CLI::App& command) {
  for (CLI::Option* option : command.get_options()) {
    if (option->get_items_expected() == 0) continue;  // --help
    option->check([](const std::string& value) {
      return std::string(value.empty() ? "found an empty text, expected a value" : "");
    });
  }
}

// Parsing sets `line`, which must outlive it.
void add_commands(CLI::App& app, CommandLine& line) {
  app.require_subcommand(1);
  const auto add = [&](const char* name, const char* what) {
    CLI::App* added = app.add_subcommand(name, what);
    added->add_option("--job", line.job, "The job file (docs/spotrun.md)")->required();
    added->callback([&line, name] { line.command = name; });
    return added;
  };
  add("prepare", "Makes the job's volume and has an instance fill it");
  CLI::App* submit = add("submit", "Starts the job; prints the fleet's or the instance's ID");
  auto* how = submit->add_option_group("how")->require_option(1);
  CLI::Option* fleet =
      how->add_option("--fleet", line.fleet, "JSON file with a SpotFleetRequestConfig");
  how->add_option("--on-demand", line.on_demand, "Launches one on-demand instance: TYPE/ZONE");
  CLI::Option* strategy =
      submit
          ->add_option("--strategy", line.strategy.strategy,
                       "POLICY[+POOL RULE][+BID RULE]: rents one instance at a time instead of a "
                       "fleet, until the job's end (docs/policies.md)")
          ->needs(fleet);
  const auto with_fleet = [&](const char* name, std::string& value, const char* what) {
    submit->add_option(name, value, what)->needs(fleet)->excludes(strategy);
  };
  const auto with_strategy = [&](const char* name, std::string& value, const char* what) {
    return submit->add_option(name, value, what)->needs(strategy)->capture_default_str();
  };
  with_fleet("--allocation-strategy", line.fleet_options.allocation_strategy,
             "Overrides the fleet file's strategy: lowestPrice, diversified, capacityOptimized, "
             "priceCapacityOptimized, capacityOptimizedPrioritized");
  with_fleet(
      "--max-price", line.fleet_options.max_price,
      "Overrides the fleet file's price: US dollars an hour, or a share of on-demand such as 40%");
  with_fleet(
      "--on-demand-after-failures", line.on_demand_after_failures,
      "Waits for the job's end, and continues on demand after this number of lost instances");
  with_fleet("--on-demand-after-waiting", line.on_demand_after_waiting,
             "Waits for the job's end, and continues on demand after this time without an "
             "instance, such as 30m");
  strategy->needs(with_strategy("--work", line.strategy.work,
                                "How long training takes without interruption, such as 48h"));
  strategy->needs(
      with_strategy("--deadline", line.strategy.deadline,
                    "Time limit of the job, counted from the first submit, such as 60h"));
  with_strategy("--tick", line.strategy.tick, "Time between two decisions");
  with_strategy("--changeover", line.strategy.changeover,
                "Time from an instance's launch to its first training step");
  with_strategy("--move", line.strategy.move, "Time to move the volume to another zone");
  submit
      ->add_flag("--anew", line.strategy.anew,
                 "Counts the deadline from this submit, not from the first")
      ->needs(strategy);
  refuse_empty(*submit);
  refuse_empty(*how);
  add("wait", "Waits until the job is done (exit 0) or has failed (exit 1)");
  add("status", "Prints the job's state: exit 0 done, 1 failed, 75 neither");
  add("instance", "On an instance: runs the job");
  add("instance-prepare", "On an instance: prepares the volume");
}

}  // namespace

CommandLine read_command_line(std::vector<std::string> words) {
  CLI::App app;
  app.set_help_flag();
  CommandLine line;
  add_commands(app, line);
  std::ranges::reverse(words);  // the order that CLI11 expects
  try {
    app.parse(std::move(words));
  } catch (const CLI::ParseError& error) {
    throw std::invalid_argument(error.what());
  }
  return line;
}

std::variant<CommandLine, ExitCode> read_arguments(std::span<const char* const> arguments) {
  CLI::App app{"Trains a job on EC2 spot instances, across interruptions and Availability Zones"};
  CommandLine line;
  app.name("spotrun");
  app.set_version_flag("--version", "spotrun " SPOTSIM_VERSION);
  add_commands(app, line);
  if (const auto wrong = base::unknown_command(app, arguments.subspan(1))) {
    fmt::print(stderr, "{}\n", *wrong);
    return ExitCode::kBadInput;
  }
  try {
    app.parse(static_cast<int>(arguments.size()), arguments.data());
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) {
      app.exit(error);
      return ExitCode::kDone;
    }
    fmt::print(stderr, "{}\n", base::usage_error(app, error));
    return ExitCode::kBadInput;
  }
  return line;
}

}  // namespace spotrun
