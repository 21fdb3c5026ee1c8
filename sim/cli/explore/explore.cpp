#include <fmt/format.h>

#include "base/process/in_parallel.h"
#include "sim/cli/commands.h"
#include "sim/cli/explore/explore_junit.h"
#include "sim/cli/explore/explore_progress.h"
#include "sim/cli/stop_on_signals.h"
#include "sim/cli/terminal/live_line.h"
#include "sim/cli/terminal/terminal_style.h"
#include "sim/explore/identity.h"
#include "sim/explore/report.h"
#include "sim/explore/search.h"
#include "sim/faults/kinds.h"

namespace sim::cli {
namespace {

namespace fs = std::filesystem;

constexpr int kNothingBroken = 0, kSomethingBroken = 1, kBadExploration = 2, kSearchStopped = 130;

struct ExploreCommand {
  fs::path scenario;
  fs::path out;
  fs::path junit;  // empty: none
  std::optional<std::uint64_t> seed;
  std::string guest;
  std::vector<std::string> set, kinds;
  std::uint64_t runs = 0;
  std::string time;  // empty: no limit
  int faults = 1;
  std::string singles;
  unsigned threads = 0;
  bool missing_actions = false, json = false, quiet = false;
};

std::optional<scenario::GuestKind> guest_of(const std::string& name) {
  if (name.empty()) return {};
  return name == "fiber" ? scenario::GuestKind::kFiber : scenario::GuestKind::kProcess;
}

CLI::Validator positive_duration() {
  return {[](const std::string& text) {
            const auto time = parse_duration(text);
            return time && *time > Duration{}
                       ? std::string()
                       : fmt::format("found {}, expected a duration such as 5m or 90s", text);
          },
          "duration"};
}

std::vector<std::string> names_of_kinds() {
  std::vector<std::string> names;
  for (const faults::Kind* const kind : faults::kinds()) names.emplace_back(kind->name);
  return names;
}

// Writes both to stderr, because stdout is for the report.
explore::Progress progress_of(const explore::Runner& runner, bool quiet) {
  if (quiet) return {};
  const auto write = [](const std::string& text) {
    fmt::print(stderr, "{}", text);
    std::fflush(stderr);
  };
  auto progress = std::make_shared<ExploreProgress>(has_live_lines(), write);
  return {.begins =
              [&runner, write](const explore::Forecast& forecast) {
                write(forecast_line(runner.scenario().name, runner.fibers(), forecast) + "\n");
              },
          .done = [progress](const std::string& stage, std::size_t done,
                             std::size_t all) { progress->hear(stage, done, all); }};
}

// A search requires every job with a known trainer to react to notices. A scenario's own reaction
// and invariants are kept.
scenario::Scenario read_asking_for_reactions(const fs::path& file, scenario::Overrides& set) {
  scenario::Scenario scenario = scenario::read_scenario(file, set);
  result::InvariantRules& rules = scenario.invariants;
  if (rules.notice_reaction || !rules.own.empty()) return scenario;
  rules.notice_reaction = result::InvariantRules::kNoticeReaction;
  set.push_back({"invariants.notice_reaction", format_duration(*rules.notice_reaction), "explore"});
  return scenario;
}

int explore_scenario(const ExploreCommand& command) {
  stop_on_signals();
  scenario::Overrides set = scenario::parse_overrides(command.set);
  scenario::Scenario scenario = read_asking_for_reactions(command.scenario, set);
  const std::uint64_t seed = command.seed.value_or(scenario.seed);
  const fs::path out = command.out.empty()
                           ? fs::path("out") / fmt::format("explore-{}-seed{}", scenario.name, seed)
                           : command.out;
  std::error_code error;
  fs::create_directories(out, error);
  if (error)
    throw run::RunError(fmt::format("cannot write {}: {} (--out names another folder)",
                                    out.string(), error.message()));
  explore::Runner runner(std::move(scenario), guest_of(command.guest), seed,
                         fs::read_symlink("/proc/self/exe").parent_path(), out / "run",
                         &stop_asked());
  explore::TriedBefore before(out / "runs.jsonl", explore::identity(runner, set));
  if (!before.begun_anew().empty() && !command.quiet)
    say(Style::kWarning, "spotsim: " + before.begun_anew());
  const bool everywhere = command.singles.empty() ? runner.fibers() : command.singles == "all";
  explore::Budget budget{.faults = command.faults,
                         .everywhere = everywhere,
                         .kinds = {command.kinds.begin(), command.kinds.end()},
                         .threads = command.threads ? command.threads : base::cores(),
                         .missing_actions = command.missing_actions};
  if (command.runs) budget.runs = command.runs;
  if (!command.time.empty()) budget.time = *parse_duration(command.time);
  const explore::Findings findings =
      explore::Search(runner, budget, before, progress_of(runner, command.quiet), stop_asked())
          .run();
  const auto scenarios = explore::write_findings(findings, runner, set, out);
  if (!command.junit.empty())
    write_junit({junit_of(findings, runner.scenario(), scenarios)}, command.junit);
  if (command.json)
    fmt::print("{}\n", explore::to_text(to_json(findings, runner, scenarios)));
  else if (!command.quiet)
    fmt::print("{}\nFiles: {}/explore.json, failing/, runs.jsonl\n",
               report(findings, runner, scenarios), out.string());
  std::fflush(stdout);
  if (stop_asked().load()) return kSearchStopped;
  return findings.failures.empty() ? kNothingBroken : kSomethingBroken;
}

}  // namespace

void add_explore_command(CLI::App& app, int& exit_code) {
  auto command = std::make_shared<ExploreCommand>();
  CLI::App* const sub = app.add_subcommand(
      "explore",
      "Inject faults at every point of a job, and report the smallest fault plans that break it");
  sub->add_option("SCENARIO", command->scenario, "a scenario file (docs/scenario.md)")->required();
  sub->add_option("--out", command->out, "output folder (default: out/explore-NAME-seedN)");
  sub->add_option("--seed", command->seed, "seed of all random draws (default: the scenario's)");
  sub->add_option("--guest", command->guest,
                  "kind of guests (default: fiber if the orchestrator is spotrun)")
      ->check(CLI::IsMember({"process", "fiber"}));
  sub->add_option("--set", command->set, "KEY=VALUE: replace the value of a scenario's key");
  sub->add_option("--faults", command->faults,
                  "maximum number of faults in a plan. 1: single faults; 2: also pairs; 3: also "
                  "random plans until --runs or --time ends the search")
      ->check(CLI::Range(1, 3))
      ->capture_default_str();
  sub->add_option("--singles", command->singles,
                  "all: inject each kind of fault at every point (default with fiber guests); "
                  "likely: only at its most likely points")
      ->check(CLI::IsMember({"all", "likely"}));
  sub->add_option("--kinds", command->kinds,
                  "only faults of these kinds, such as power-cut,interrupt")
      ->delimiter(',')
      ->check(CLI::IsMember(names_of_kinds()));
  sub->add_option("--runs", command->runs, "maximum number of runs (default: all)");
  sub->add_option("--time", command->time,
                  "maximum duration of the search, such as 5m (default: until all is tried)")
      ->check(positive_duration());
  sub->add_option("--threads", command->threads, "number of parallel runs (default: one per core)");
  sub->add_flag("--missing-actions", command->missing_actions,
                "search even if a script calls AWS actions that spotsim does not simulate");
  sub->add_option("--junit", command->junit, "write the failures as JUnit XML");
  sub->add_flag("--json", command->json, "print explore.json, and nothing else");
  sub->add_flag("--quiet", command->quiet, "print nothing but errors");
  sub->callback([command, &exit_code] {
    try {
      exit_code = explore_scenario(*command);
    } catch (const std::exception& error) {  // ScenarioError, RunError
      say(Style::kError, error.what());
      exit_code = kBadExploration;
    }
  });
}

}  // namespace sim::cli
