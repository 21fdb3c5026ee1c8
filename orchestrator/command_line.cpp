#include "orchestrator/command_line.h"

#include <CLI/CLI.hpp>

namespace spotrun {

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
  how->add_option("--fleet", line.fleet, "A SpotFleetRequestConfig in JSON");
  how->add_option("--on-demand", line.on_demand, "TYPE/ZONE of one on-demand instance");
  add("wait", "Waits until the job is done (exit 0) or has failed (exit 1)");
  add("status", "Says where the job stands: exit 0 done, 1 failed, 75 neither");
  add("instance", "On an instance: runs the job");
  add("instance-prepare", "On an instance: prepares the volume");
}

}  // namespace spotrun
