#include "sim/cli/command_line.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <map>
#include <optional>
#include <vector>

#include "base/command_line_error.h"
#include "sim/cli/commands.h"
#include "sim/cli/help.h"
#include "sim/cli/run/run.h"
#include "sim/cli/run/validate.h"
#include "sim/cli/terminal/terminal_style.h"

namespace sim::cli {
namespace {

void add_set_option(CLI::App& command, std::vector<std::string>& set) {
  command
      .add_option("--set", set,
                  "KEY=VALUE: replace the value of a scenario's key, such as trainer.policy=epoch")
      ->allow_extra_args(false);
}

void add_guest_option(CLI::App& command, std::optional<scenario::GuestKind>& guest) {
  command
      .add_option("--guest", guest, "kind of guests: process or fiber (default: the scenario's)")
      ->transform(CLI::CheckedTransformer(std::map<std::string, scenario::GuestKind>{
          {"process", scenario::GuestKind::kProcess}, {"fiber", scenario::GuestKind::kFiber}}));
}

void add_level_option(CLI::App& command, std::optional<guest::Level>& level) {
  std::map<std::string, guest::Level> names;
  for (const auto of : {guest::Level::kRoot, guest::Level::kUserNamespaces, guest::Level::kPlain})
    names.emplace(guest::name(of), of);
  command
      .add_option("--level", level,
                  "sandbox of process guests (default: the scenario's); plain: no sandbox, scripts "
                  "run with your rights on this machine (docs/sandbox.md)")
      ->transform(CLI::CheckedTransformer(names));
}

void add_run_command(CLI::App& app, RunCommand& options, int& exit_code) {
  CLI::App* run = app.add_subcommand("run", "Run scenarios; exit 0 when all expectations hold");
  run->add_option("SCENARIO", options.scenarios, "scenario files (docs/scenario.md)")->required();
  run->add_option("--out", options.out, "output folder (default: out/<name>-seed<seed>)");
  run->add_option("--seed", options.seed, "seed of all random draws (default: the scenario's)")
      ->check(CLI::NonNegativeNumber);
  CLI::Option* const seeds =
      run->add_option("--seeds", options.seeds,
                      "seeds, such as 1-20 or 1,5,9-12: make a run with each, and print a table "
                      "of all runs")
          ->excludes("--seed");
  run->add_option("--jobs", options.jobs,
                  "maximum number of runs at a time with --seeds (default: one per core)")
      ->check(CLI::Range(1, 1024))
      ->needs(seeds);
  add_guest_option(*run, options.guest);
  add_level_option(*run, options.level);
  add_set_option(*run, options.set);
  run->add_option("--junit", options.junit, "write expectations as JUnit XML");
  run->add_option("--check-against", options.check_against,
                  "events.jsonl of an earlier run; report the first difference from it")
      ->excludes(seeds);
  run->add_flag("--json", options.json, "print result.json to stdout, and nothing else");
  run->add_flag("--report", options.report, "write the page report.html next to the result");
  run->add_flag("--quiet", options.quiet, "print no summary");
  run->callback([&] { exit_code = cli::run(options); });
}

void add_validate_command(CLI::App& app, ValidateCommand& options, int& exit_code) {
  CLI::App* validate = app.add_subcommand("validate", "Check scenarios without running them");
  validate->add_option("SCENARIO", options.scenarios, "scenario files")->required();
  add_guest_option(*validate, options.guest);
  add_level_option(*validate, options.level);
  add_set_option(*validate, options.set);
  validate->callback([&] { exit_code = cli::validate(options); });
}

// CLI11 reports help like an error; help ends with status 0.
int end_parsing(const CLI::App& app, const CLI::ParseError& error) {
  if (error.get_exit_code() == 0) return app.exit(error);
  say(Style::kError, base::usage_error(app, error));
  return 2;
}

}  // namespace

int run_command_line(std::span<const char* const> arguments, const std::string& version) {
  CLI::App app{
      "spotsim runs the programs of a training job on EC2 Spot against a simulated AWS, on virtual "
      "time."};
  app.name("spotsim");
  app.formatter(help_in_words());
  app.set_version_flag("--version", "spotsim " + version);
  app.require_subcommand(1);
  int exit_code = 0;
  RunCommand run_options;
  ValidateCommand validate_options;
  add_run_command(app, run_options, exit_code);
  add_validate_command(app, validate_options, exit_code);
  add_init_command(app, exit_code);
  add_result_command(app, exit_code);
  add_report_command(app, exit_code);
  add_serve_command(app, exit_code);
  add_ctl_command(app, exit_code);
  add_explore_command(app, exit_code);
  add_sweep_commands(app, exit_code);
  add_advise_command(app, exit_code);
  add_trace_command(app, exit_code);
  add_import_command(app, exit_code);
  add_types_command(app, exit_code);
  add_schema_command(app);
  add_help_commands(app);
  if (const auto wrong = base::unknown_command(app, arguments.subspan(1))) {
    say(Style::kError, *wrong);
    return 2;
  }
  try {
    app.parse(static_cast<int>(arguments.size()), arguments.data());
  } catch (const CLI::ParseError& error) {
    return end_parsing(app, error);
  }
  return exit_code;
}

}  // namespace sim::cli
