#include "sim/cli/run/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <stdexcept>

#include "sim/cli/run/remarks.h"
#include "sim/cli/run/report.h"
#include "sim/cli/run/run_files.h"
#include "sim/cli/run/run_junit.h"
#include "sim/cli/run/seeds.h"
#include "sim/cli/run/status_line.h"
#include "sim/cli/run/summary.h"
#include "sim/cli/run/what_happened.h"
#include "sim/cli/stop_on_signals.h"
#include "sim/cli/terminal/terminal_style.h"
#include "sim/events/event.h"
#include "sim/result/expectations.h"
#include "sim/run/run.h"
#include "sim/scenario/scenario.h"

namespace sim::cli {
namespace {

namespace fs = std::filesystem;

std::vector<scenario::Scenario> read_all(const RunCommand& command) {
  const scenario::Overrides set = scenario::parse_overrides(command.set);
  std::vector<scenario::Scenario> scenarios;
  std::vector<std::string> errors;
  for (const fs::path& file : command.scenarios) {
    try {
      scenarios.push_back(scenario::read_scenario(file, set));
    } catch (const scenario::ScenarioError& error) {
      errors.insert(errors.end(), error.messages().begin(), error.messages().end());
    }
  }
  if (!errors.empty()) throw scenario::ScenarioError(errors);
  return scenarios;
}

// A line of the log, which may be long.
std::string cut(const std::string& line) {
  constexpr std::size_t kMost = 400;
  return line.size() <= kMost ? line : line.substr(0, kMost) + " …";
}

// Prints to stderr, so that failures are seen with --json and --quiet, too.
void tell_failures(const result::Result& result) {
  for (const auto* list : {&result.expectations, &result.invariants}) {
    for (const result::Verdict& v : *list) {
      if (!v.fails()) continue;
      say(Style::kError, fmt::format("spotsim: FAILED: {}: found {}", v.what, v.found));
      for (const std::string& line : v.lines) fmt::print(stderr, "    {}\n", cut(line));
    }
  }
}

void show(const RunCommand& command, const result::Result& result, const fs::path& output) {
  if (command.json) {
    fmt::print("{}\n", result::to_json(result).dump(2));
  } else if (!command.quiet) {
    fmt::print("{}\nFiles: {}/events.jsonl, result.json, console/{}\n",
               summary(result, Styler(stdout), output), output.string(),
               command.report ? ", report.html" : "");
  }
  std::fflush(stdout);
}

bool same_log(const RunCommand& command, const fs::path& output) {
  if (!command.check_against) return true;
  const auto difference = first_difference(*command.check_against, output / "events.jsonl");
  if (difference) {
    say(Style::kError,
        fmt::format("spotsim: differs from {}: {}", command.check_against->string(), *difference));
  }
  return !difference;
}

// True if the run reached its limit or got stuck, and the scenario does not expect that.
bool unplanned_end(const result::Result& result) {
  const auto about_the_end = [](const result::Verdict& v) {
    return v.what.starts_with("outcome:");
  };
  return (result.outcome == "deadline" || result.outcome == "stuck") &&
         std::ranges::none_of(result.expectations, about_the_end);
}

void warn(const scenario::Scenario& scenario, const std::string& text) {
  say(Style::kWarning, fmt::format("spotsim: {}: warning: {}", scenario.name, text));
}

int run_one(const RunCommand& command, const scenario::Scenario& scenario,
            std::vector<JunitSuite>& suites) {
  const std::uint64_t seed = command.seed.value_or(scenario.seed);
  const fs::path output = output_of(command, scenario, seed);
  fmt::print(stderr, "spotsim: {}: seed {}\n", scenario.name, seed);
  for (const std::string& warning : scenario.warnings) say(Style::kWarning, warning);
  StatusLine status(scenario.start);
  Remarks remarks;
  run::RunOptions options{.output = output,
                          .programs = programs_of(command, scenario),
                          .seed = seed,
                          .guest = command.guest,
                          .level = command.level,
                          .stop = &stop_asked()};
  options.listen = [&](events::Listeners& log, const result::History& history, const auto& cost) {
    status.listen(log, history, cost);
    remarks.listen(log, [&](const std::string& text) {
      status.clear();
      warn(scenario, text);
    });
  };
  options.say = [&](const std::string& text) {
    status.clear();
    fmt::print(stderr, "spotsim: {}\n", text);
  };
  const run::RunReport report = run::run(scenario, options);
  status.clear();
  if (!report.result) {
    fmt::print(stderr, "spotsim: interrupted; the log so far is in {}\n", output.string());
    return kInterrupted;
  }
  write_command(output / "command.txt", command, scenario, seed);
  // To stderr, too, where --json and --quiet print nothing else.
  if (const auto missing = result::sentence_on(report.result->missing_actions, output);
      !missing.empty())
    warn(scenario, missing);
  if (command.report) write_report(output, page_in(output));
  show(command, *report.result, output);
  suites.push_back(junit_of(*report.result));
  const bool expected = result::as_expected(*report.result);
  const bool good = same_log(command, output) && expected;
  tell_failures(*report.result);
  for (const std::string& remark : remarks.all()) warn(scenario, remark);
  if (!expected || unplanned_end(*report.result))
    fmt::print(stderr, "\n{}\n", what_happened(*report.result, output, Styler(stderr)));
  if (!good)
    fmt::print(stderr, "spotsim: replay with: {}\n", replay(command, scenario, seed, output));
  say(good ? Style::kGood : Style::kError,
      fmt::format("spotsim: {}: {}, {} events, fingerprint {}", scenario.name,
                  good ? report.result->outcome : report.result->outcome + ", NOT as expected",
                  report.lines, report.fingerprint));
  return good ? kHolds : kFails;
}

void check_is_log(const fs::path& file) {
  std::ifstream in(file);
  std::string begin;
  if (std::getline(in, begin) && begin.starts_with("{\"time\":")) return;
  throw std::runtime_error(fmt::format("--check-against: {} {}, expected a run's events.jsonl",
                                       file.string(),
                                       in.is_open() ? "is not an event log" : "cannot be read"));
}

// Checks files before the runs, because an error after the runs would cost their time.
void check_files(const RunCommand& command, const std::vector<scenario::Scenario>& scenarios) {
  std::set<fs::path> outputs;
  for (const scenario::Scenario& scenario : scenarios) {
    const fs::path output =
        output_of(command, scenario, command.seed.value_or(scenario.seed)).lexically_normal();
    if (!outputs.insert(output).second)
      throw std::runtime_error(
          fmt::format("{}: found a second run with the output folder {}, expected scenarios with "
                      "different names or seeds",
                      scenario.file.string(), output.string()));
  }
  if (command.check_against) check_is_log(*command.check_against);
  if (command.junit && !command.junit->parent_path().empty() &&
      !fs::is_directory(command.junit->parent_path()))
    throw std::runtime_error(fmt::format("--junit: there is no folder {} for {}",
                                         command.junit->parent_path().string(),
                                         command.junit->filename().string()));
}

}  // namespace

int run(const RunCommand& command) {
  try {
    const std::vector<scenario::Scenario> scenarios = read_all(command);
    const std::vector<std::uint64_t> seeds = seeds_of(command.seeds);
    check_files(command, scenarios);
    stop_on_signals();
    std::vector<JunitSuite> suites;
    int status = kHolds;
    for (const scenario::Scenario& scenario : scenarios) {
      status = std::max(status, seeds.empty() ? run_one(command, scenario, suites)
                                              : run_seeds(command, scenario, seeds, suites));
      if (status == kInterrupted) return status;
    }
    if (command.junit) write_junit(suites, *command.junit);
    return status;
  } catch (const scenario::ScenarioError& error) {
    say(Style::kError, error.what());
  } catch (const std::exception& error) {
    say(Style::kError, std::string("spotsim: ") + error.what());
  }
  return kBadInput;
}

}  // namespace sim::cli
