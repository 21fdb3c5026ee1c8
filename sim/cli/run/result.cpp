// `spotsim result DIR`: computes a run's result again, from its log alone.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "sim/cli/commands.h"
#include "sim/cli/run/summary.h"
#include "sim/cli/terminal/terminal_style.h"
#include "sim/events/event.h"
#include "sim/result/expectations.h"
#include "sim/result/result_of_log.h"
#include "sim/scenario/scenario.h"

namespace sim::cli {
namespace {

namespace fs = std::filesystem;

constexpr int kSame = 0, kOther = 1, kNoResult = 2;
// The effects of a plan's entries, which the log does not have.
constexpr std::string_view kPlan = "plan", kStruck = "struck";

struct ResultCommand {
  fs::path run;
  std::optional<fs::path> expect;
  std::vector<std::string> set;
  bool json = false, check = false;
};

// The log of a run's folder. Other files are refused, because one such as /dev/zero may never end.
fs::path log_of(const fs::path& run) {
  const fs::path file = fs::is_directory(run) ? run / "events.jsonl" : run;
  if (!fs::is_regular_file(file))
    throw std::runtime_error(
        fmt::format("{}: found {}, expected the folder of a run, or its events.jsonl",
                    file.string(), fs::exists(file) ? "no regular file" : "nothing"));
  return file;
}

// The expectations that a log can answer. The others are named in a message.
std::vector<result::Expectation> answerable(const ResultCommand& command,
                                            std::vector<result::Expectation> all) {
  const auto asks_for_plan = [](const result::Expectation& e) { return e.key == kStruck; };
  if (std::ranges::any_of(all, asks_for_plan))
    say(Style::kWarning, fmt::format("spotsim: {}: `struck` is not checked, because a log does not "
                                     "record the effect of each entry of the plan",
                                     command.expect->string()));
  std::erase_if(all, asks_for_plan);
  return all;
}

result::Result judged(const ResultCommand& command) {
  std::vector<result::Expectation> expected;
  result::InvariantRules rules;
  if (command.expect) {
    const scenario::Scenario scenario =
        scenario::read_scenario(*command.expect, scenario::parse_overrides(command.set));
    expected = answerable(command, scenario.expect);
    rules = scenario.invariants;
  }
  result::Result result = result::result_of(log_of(command.run), rules);
  result.expectations = result::judge(expected, result);
  result::excuse(expected, result);
  return result;
}

// The fields that depend only on the log.
Json comparable(Json result) {
  result.erase(std::string(kPlan));
  Json& expectations = result["expectations"];
  Json kept = Json::array();
  for (const Json& row : expectations)
    if (!row.value("expect", "").starts_with(kStruck)) kept.push_back(row);
  expectations = kept;
  return result;
}

Json read_result(const fs::path& file) {
  std::ifstream in(file);
  Json result = Json::parse(in, nullptr, false);
  if (!result.is_object())
    throw std::runtime_error(fmt::format("{}: {}, expected the result.json of a run", file.string(),
                                         in.is_open() ? "found no JSON object" : "cannot be read"));
  return result;
}

// Compares with result.json beside the log, and reports the first difference.
bool same_as_before(const ResultCommand& command, const result::Result& result) {
  const fs::path file = log_of(command.run).parent_path() / "result.json";
  const Json before = comparable(read_result(file)), now = comparable(result::to_json(result));
  const Json difference = Json::diff(before, now);
  if (difference.empty()) return true;
  const Json& first = difference.front();
  const Json::json_pointer path(first["path"].get<std::string>());
  say(Style::kError,
      fmt::format("spotsim: {}: {}: found {}, but the log gives {}", file.string(),
                  path.to_string(), before.contains(path) ? before[path].dump() : "nothing",
                  now.contains(path) ? now[path].dump() : "nothing"));
  return false;
}

int result(const ResultCommand& command) {
  try {
    const result::Result result = judged(command);
    if (command.json)
      fmt::print("{}\n", result::to_json(result).dump(2));
    else
      fmt::print("{}\n", summary(result, Styler(stdout), log_of(command.run).parent_path()));
    std::fflush(stdout);
    const bool same = !command.check || same_as_before(command, result);
    return same && result::as_expected(result) ? kSame : kOther;
  } catch (const scenario::ScenarioError& error) {
    say(Style::kError, error.what());
  } catch (const std::exception& error) {
    say(Style::kError, std::string("spotsim: ") + error.what());
  }
  return kNoResult;
}

}  // namespace

void add_result_command(CLI::App& app, int& exit_code) {
  auto command = std::make_shared<ResultCommand>();
  CLI::App* sub = app.add_subcommand(
      "result", "Compute the result of a run again, from its events.jsonl alone");
  sub->add_option("RUN", command->run, "a run's folder, or its events.jsonl")->required();
  sub->add_option("--expect", command->expect,
                  "check the `expect` and `invariants` of this scenario");
  sub->add_option("--set", command->set, "KEY=VALUE: replace the value of a key of that scenario")
      ->needs("--expect");
  sub->add_flag("--json", command->json, "print result.json to stdout");
  sub->add_flag("--check", command->check, "exit with 1 if the run's result.json differs");
  sub->callback([command, &exit_code] { exit_code = result(*command); });
}

}  // namespace sim::cli
