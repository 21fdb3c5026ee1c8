#include "sim/cli/run/seeds.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <stdexcept>

#include "base/process/in_parallel.h"
#include "base/text/comma_list.h"
#include "sim/cli/run/remarks.h"
#include "sim/cli/run/report.h"
#include "sim/cli/run/run_files.h"
#include "sim/cli/run/run_junit.h"
#include "sim/cli/stop_on_signals.h"
#include "sim/cli/terminal/runs_progress.h"
#include "sim/result/expectations.h"
#include "sim/run/in_children.h"
#include "sim/run/run.h"
#include "sim/sweep/seeds.h"

namespace sim::cli {
namespace {

namespace fs = std::filesystem;

Json to_json(const JunitSuite& suite) {
  Json cases = Json::array();
  for (const JunitCase& one : suite.cases)
    cases.push_back(
        {one.name, one.failure.has_value(), one.failure.value_or(""), one.details, one.output});
  return {{"name", suite.name}, {"cases", cases}};
}

JunitSuite suite_of(const Json& json, std::uint64_t seed) {
  JunitSuite suite{.name = fmt::format("{} seed {}", json["name"].get<std::string>(), seed),
                   .cases = {}};
  for (const Json& one : json["cases"])
    suite.cases.push_back(
        {.name = one[0],
         .failure = one[1].get<bool>() ? std::optional(one[2].get<std::string>()) : std::nullopt,
         .details = one[3],
         .output = one[4]});
  return suite;
}

Json to_json(const SeedRow& row) {
  return {{"seed", row.seed},
          {"outcome", row.outcome},
          {"as_expected", row.good},
          {"makespan_s", seconds(row.makespan)},
          {"cost_usd", row.cost.dollars()},
          {"lost_steps", row.reports_progress ? Json(row.lost_steps) : Json()},
          {"lost_s", row.reports_progress ? Json(seconds(row.lost_time)) : Json()},
          {"fingerprint", row.fingerprint},
          {"missing_actions", row.missing_actions}};
}

// A child's answer. Times and money are whole numbers, so that no digit is lost.
Json answer_of(const result::Result& result, const run::RunReport& report, bool good) {
  std::set<std::string> missing;
  for (const result::MissingAction& one : result.missing_actions)
    missing.insert(result::action_of(one.service, one.action));
  return {{"outcome", result.outcome},
          {"good", good},
          {"makespan", result.makespan.count()},
          {"lost_time", result.lost_time.count()},
          {"cost", result.money.total.nano},
          {"lost_steps", result.lost_steps},
          {"reports", result::reports_progress(result)},
          {"fingerprint", report.fingerprint},
          {"missing", missing},
          {"suite", to_json(junit_of(result))}};
}

SeedRow row_of(const Json& answer, std::uint64_t seed) {
  return {.seed = seed,
          .outcome = answer["outcome"],
          .good = answer["good"],
          .makespan = Duration(answer["makespan"].get<std::int64_t>()),
          .lost_time = Duration(answer["lost_time"].get<std::int64_t>()),
          .cost = {answer["cost"].get<std::int64_t>()},
          .lost_steps = answer["lost_steps"],
          .reports_progress = answer["reports"],
          .fingerprint = answer["fingerprint"],
          .missing_actions = answer["missing"]};
}

// The messages about a run, which are printed at its end.
std::vector<std::string> notes_on(const result::Result& result, const Remarks& remarks,
                                  const fs::path& output) {
  std::vector<std::string> notes;
  if (const auto missing = result::sentence_on(result.missing_actions, output); !missing.empty())
    notes.push_back("warning: " + missing);
  for (const auto* list : {&result.expectations, &result.invariants})
    for (const result::Verdict& v : *list)
      if (v.fails()) notes.push_back(fmt::format("FAILED: {}: found {}", v.what, v.found));
  for (const std::string& remark : remarks.all()) notes.push_back("warning: " + remark);
  return notes;
}

// One run, in the child. Its answer is empty if the run was stopped.
std::string run_seed(const RunCommand& command, const scenario::Scenario& scenario,
                     const fs::path& programs, std::uint64_t seed) {
  const fs::path output = output_of(command, scenario, seed);
  Remarks remarks;
  std::vector<std::string> at_once;
  run::RunOptions options{.output = output,
                          .programs = programs,
                          .seed = seed,
                          .guest = command.guest,
                          .level = command.level,
                          .stop = &stop_asked()};
  options.listen = [&](events::Listeners& log, const auto&, const auto&) {
    remarks.listen(log, [&](const std::string& text) { at_once.push_back("warning: " + text); });
  };
  const run::RunReport report = run::run(scenario, options);
  if (!report.result) return "";
  write_command(output / "command.txt", command, scenario, seed);
  if (command.report) write_report(output, page_in(output));
  const bool good = result::as_expected(*report.result);
  Json answer = answer_of(*report.result, report, good);
  for (std::string& note : notes_on(*report.result, remarks, output))
    at_once.push_back(std::move(note));
  if (!good) at_once.push_back("replay with: " + replay(command, scenario, seed, output));
  answer["notes"] = at_once;
  return answer.dump(-1, ' ', false, Json::error_handler_t::replace);
}

void show(const RunCommand& command, const scenario::Scenario& scenario,
          const std::vector<SeedRow>& rows) {
  if (command.json) {
    Json runs = Json::array();
    for (const SeedRow& row : rows) runs.push_back(to_json(row));
    fmt::print("{}\n", Json{{"scenario", scenario.name}, {"runs", runs}}.dump(2));
  } else if (!command.quiet) {
    fmt::print("{}\nFiles: {}/ and a folder for each other seed\n",
               seeds_table(scenario.name, rows, Styler(stdout)),
               output_of(command, scenario, rows.front().seed).string());
  }
  std::fflush(stdout);
}

}  // namespace

std::vector<std::uint64_t> seeds_of(const std::string& text) {
  std::vector<std::uint64_t> seeds;
  for (const std::string& part : base::split_comma_list(text))
    if (!sweep::add_seeds(part, seeds))
      throw std::runtime_error(
          fmt::format("--seeds: found {}, expected seeds such as 1-20 or 1,5,9-12", text));
  if (std::set(seeds.begin(), seeds.end()).size() != seeds.size())
    throw std::runtime_error(fmt::format("--seeds: found a seed twice in {}", text));
  return seeds;
}

int run_seeds(const RunCommand& command, const scenario::Scenario& scenario,
              const std::vector<std::uint64_t>& seeds, std::vector<JunitSuite>& suites) {
  const fs::path programs = programs_of(command, scenario);
  const std::size_t at_once =
      std::min<std::size_t>(command.jobs ? command.jobs : base::cores(), seeds.size());
  for (const std::string& warning : scenario.warnings) say(Style::kWarning, warning);
  RunsProgress progress(scenario.name, seeds.size(), at_once, command.quiet);
  std::vector<SeedRow> rows;
  std::vector<std::string> notes;
  run::in_children(
      {.pieces = seeds.size(),
       .at_once = at_once,
       .work = [&](std::size_t i,
                   std::size_t) { return run_seed(command, scenario, programs, seeds[i]); },
       .done =
           [&](std::size_t i, const std::string& line) {
             const Json answer = Json::parse(line);
             rows.push_back(row_of(answer, seeds[i]));
             suites.push_back(suite_of(answer["suite"], seeds[i]));
             for (const Json& note : answer["notes"])
               notes.push_back(fmt::format("spotsim: {} seed {}: {}", scenario.name, seeds[i],
                                           note.get<std::string>()));
             progress.add();
           },
       .may_begin = [] { return true; },
       .stopped = [] { return stop_asked().load(); }});
  progress.clear();
  for (const std::string& note : notes) say(Style::kWarning, note);
  if (!rows.empty()) show(command, scenario, rows);
  if (rows.size() < seeds.size()) {
    fmt::print(stderr, "spotsim: interrupted after {} of {} seeds\n", rows.size(), seeds.size());
    return kInterrupted;
  }
  return std::ranges::all_of(rows, &SeedRow::good) ? kHolds : kFails;
}

}  // namespace sim::cli
