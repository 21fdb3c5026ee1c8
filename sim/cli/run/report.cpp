// `spotsim report RUN`: what happened in a run.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <memory>
#include <string>

#include "sim/cli/commands.h"
#include "sim/cli/terminal/terminal_style.h"
#include "sim/report/run_report.h"

namespace sim::cli {
namespace {

struct ReportCommand {
  std::filesystem::path run;
  bool json = false;
};

int make_report(const ReportCommand& command) {
  try {
    fmt::print("{}\n", report::run_report(command.run).dump(2));
    std::fflush(stdout);
    return 0;
  } catch (const std::exception& error) {
    say(Style::kError, std::string("spotsim: ") + error.what());
    return 2;
  }
}

}  // namespace

void add_report_command(CLI::App& app, int& exit_code) {
  auto command = std::make_shared<ReportCommand>();
  CLI::App* sub = app.add_subcommand(
      "report", "Show what happened in a run: lanes, marks, prices, training, ledgers");
  sub->add_option("RUN", command->run, "a run's folder")->required();
  sub->add_flag("--json", command->json, "print it as JSON (docs/report.md)")->required();
  sub->callback([command, &exit_code] { exit_code = make_report(*command); });
}

}  // namespace sim::cli
