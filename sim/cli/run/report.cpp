// `spotsim report FOLDER`: a run, a sweep, an exploration or an advice as a page or as JSON.
#include "sim/cli/run/report.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>

#include "base/files/text_file.h"
#include "base/process/process.h"
#include "report/page.h"
#include "sim/cli/commands.h"
#include "sim/cli/terminal/terminal_style.h"
#include "sim/report/csv.h"
#include "sim/report/perfetto.h"
#include "sim/report/report.h"
#include "sim/report/sweep_report.h"

namespace sim::cli {
namespace {

namespace fs = std::filesystem;

struct ReportCommand {
  fs::path folder;
  std::optional<fs::path> out, csv;
  bool json = false, perfetto = false, open = false;
};

// Opens the page in the browser that the desktop has set.
void open_page(const fs::path& page) {
  const int status = base::run_process({.argv = {"xdg-open", page.string()}}).status;
  if (status != 0)
    throw std::runtime_error(fmt::format(
        "xdg-open {}: exit status {}; open the file in a browser by hand", page.string(), status));
}

// The data of a run, for options that need a run's folder.
Json data_of_run(const ReportCommand& command, const std::string& option,
                 const std::string& instead) {
  Json data = report::report_of(command.folder);
  if (data["kind"] != "run")
    throw std::runtime_error(option + ": found " + command.folder.string() +
                             ", which is not a run; expected the folder of a run" + instead);
  return data;
}

void write_tables(const ReportCommand& command) {
  const Json data =
      data_of_run(command, "--csv", " (a sweep's folder has summary.csv and runs.csv)");
  std::error_code error;
  fs::create_directories(*command.csv, error);
  if (error)
    throw std::runtime_error(fmt::format("--csv: cannot make the folder {}: {}",
                                         command.csv->string(), error.message()));
  std::string names;
  for (const report::CsvTable& table : report::csv_tables(data)) {
    base::write_text_file(*command.csv / (table.name + ".csv"), table.text);
    names += (names.empty() ? "" : ", ") + table.name + ".csv";
  }
  fmt::print("Tables: {}/{}\n", command.csv->string(), names);
  std::fflush(stdout);
}

void make_report(const ReportCommand& command) {
  if (command.csv) return write_tables(command);
  if (command.json || command.perfetto) {
    const Json data = command.perfetto ? data_of_run(command, "--perfetto", "")
                                       : report::report_of(command.folder);
    fmt::print("{}\n", (command.perfetto ? report::trace_events(data) : data).dump(2));
    std::fflush(stdout);
    return;
  }
  const fs::path page = command.out.value_or(page_in(command.folder));
  write_report(command.folder, page);
  fmt::print("Page: {}\n", page.string());
  std::fflush(stdout);
  if (command.open) open_page(page);
}

}  // namespace

void write_report(const fs::path& folder, const fs::path& page) {
  Json data = report::report_of(folder);
  if (data["kind"] == "sweep") data = report::shown_part(data);
  base::write_text_file(page, ::page::page_of(data.dump()));
}

void add_report_command(CLI::App& app, int& exit_code) {
  auto command = std::make_shared<ReportCommand>();
  CLI::App* sub = app.add_subcommand("report", "Show results as a page for a browser, or as JSON");
  sub->add_option("FOLDER", command->folder, "output folder of run, sweep, explore or advise")
      ->required();
  sub->add_option("--out", command->out, "the page's file (default: FOLDER/report.html)");
  sub->add_flag("--open", command->open, "open the page in a browser");
  sub->add_flag("--json", command->json, "print the page's data instead (docs/report.md)")
      ->excludes("--out")
      ->excludes("--open");
  sub->add_flag("--perfetto", command->perfetto, "print a trace for ui.perfetto.dev instead")
      ->excludes("--out")
      ->excludes("--open")
      ->excludes("--json");
  sub->add_option("--csv", command->csv,
                  "DIR: write the run's attempts, spans, marks, prices, steps and ledgers there "
                  "as CSV instead")
      ->excludes("--out")
      ->excludes("--open")
      ->excludes("--json")
      ->excludes("--perfetto");
  sub->callback([command, &exit_code] {
    try {
      make_report(*command);
      exit_code = 0;
    } catch (const std::exception& error) {
      say(Style::kError, std::string("spotsim: ") + error.what());
      exit_code = 2;
    }
  });
}

}  // namespace sim::cli
