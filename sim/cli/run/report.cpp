// `spotsim report RUN`: what happened in a run, as a page or as JSON.
#include "sim/cli/run/report.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <fstream>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>

#include "base/process.h"
#include "report/page.h"
#include "sim/cli/commands.h"
#include "sim/cli/terminal/terminal_style.h"
#include "sim/report/perfetto.h"
#include "sim/report/run_report.h"

namespace sim::cli {
namespace {

namespace fs = std::filesystem;

struct ReportCommand {
  fs::path run;
  std::optional<fs::path> out;
  bool json = false, perfetto = false, open = false;
};

// In the browser that the desktop has set.
void open_page(const fs::path &page) {
  const int status =
      base::run_process({.argv = {"xdg-open", page.string()}}).status;
  if (status != 0)
    throw std::runtime_error(fmt::format(
        "xdg-open {}: exit status {}; open the file in a browser by hand",
        page.string(), status));
}

void make_report(const ReportCommand &command) {
  if (command.json || command.perfetto) {
    const Json data = report::run_report(command.run);
    fmt::print("{}\n",
               (command.perfetto ? report::trace_events(data) : data).dump(2));
    std::fflush(stdout);
    return;
  }
  const fs::path page = command.out.value_or(page_in(command.run));
  write_report(command.run, page);
  fmt::print("Page: {}\n", page.string());
  std::fflush(stdout);
  if (command.open)
    open_page(page);
}

} // namespace

void write_report(const fs::path &run, const fs::path &page) {
  const std::string text = ::page::page_of(report::run_report(run).dump());
  std::ofstream out(page, std::ios::binary);
  out << text;
  if (!out.flush())
    throw std::runtime_error(page.string() +
                             ": cannot be written, expected a file in a folder "
                             "that is there");
}

void add_report_command(CLI::App &app, int &exit_code) {
  auto command = std::make_shared<ReportCommand>();
  CLI::App *sub = app.add_subcommand(
      "report", "Show what happened in a run: a page for a browser, or JSON");
  sub->add_option("RUN", command->run, "a run's folder")->required();
  sub->add_option("--out", command->out,
                  "the page's file (default: RUN/report.html)");
  sub->add_flag("--open", command->open, "open the page in a browser");
  sub->add_flag("--json", command->json,
                "print the page's data instead (docs/report.md)")
      ->excludes("--out")
      ->excludes("--open");
  sub->add_flag("--perfetto", command->perfetto,
                "print a trace for ui.perfetto.dev instead")
      ->excludes("--out")
      ->excludes("--open")
      ->excludes("--json");
  sub->callback([command, &exit_code] {
    try {
      make_report(*command);
      exit_code = 0;
    } catch (const std::exception &error) {
      say(Style::kError, std::string("spotsim: ") + error.what());
      exit_code = 2;
    }
  });
}

} // namespace sim::cli
