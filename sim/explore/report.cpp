#include "sim/explore/report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <iterator>

#include "sim/explore/ways.h"

namespace sim::explore {
namespace {

namespace fs = std::filesystem;

constexpr int kSchema = 1;  // of explore.json

void write(const fs::path& file, const std::string& text) {
  std::ofstream out(file);
  out << text;
  out.close();
  if (!out) throw run::RunError("cannot write " + file.string());
}

// Writes a scenario that fails as the search found, with the values given by --set and the plan
// after the scenario's own faults. Expectations of figures are omitted, because they were stated
// for a run without the plan. The invariants remain.
std::string scenario_text(const Failure& failure, const Runner& runner,
                          const scenario::Overrides& overrides, const fs::path& file) {
  const fs::path base =
      fs::absolute(runner.scenario().given_as).lexically_relative(fs::absolute(file.parent_path()));
  std::string text = fmt::format("# Found by spotsim explore. It breaks: {}\n# {}\n",
                                 failure.breach.sentence, failure.breach.found);
  text += fmt::format("based_on: {}\n", Json(base.string()).dump());
  for (const scenario::Override& value : overrides)
    if (value.key != "faults" && value.key != "swarm")
      text += fmt::format("{}: {}\n", Json(value.key).dump(), value.value);
  text += fmt::format("name: {}-{}\nseed: {}\nguest: {}\n", runner.scenario().name,
                      file.stem().string(), runner.seed(), runner.fibers() ? "fiber" : "process");
  if (failure.breach.id != "expectations")
    text +=
        failure.breach.id == "job-completes" ? "expect: {outcome: completed}\n" : "expect: {}\n";
  PlanText plan;
  for (const faults::Fault& own : runner.scenario().faults) plan.push_back(faults::to_yaml(own));
  if (!plan.empty()) text += "swarm: none\n";  // the plan contains the swarm's faults
  plan.insert(plan.end(), failure.tried.plan.begin(), failure.tried.plan.end());
  text += plan.empty() ? "faults: []\n" : "faults:\n";
  for (const std::string& fault : plan) text += "  - " + fault + "\n";
  return text;
}

// The further invariants that the plan breaks.
std::vector<Breach> also(const Failure& failure) {
  std::vector<Breach> others;
  std::ranges::copy_if(failure.tried.breaches, std::back_inserter(others),
                       [&](const Breach& other) { return other.id != failure.breach.id; });
  return others;
}

// What strikes there: a call before its effect or after it, a request for metadata, or an event.
constexpr const char* kPointKinds[] = {"call", "answered-call", "metadata", "event"};

// Each strike point with what single faults did there.
Json points_json(const Findings& findings) {
  Json points = Json::array();
  for (std::size_t i = 0; i < findings.points.size(); ++i) {
    const StrikePoint& point = findings.points[i];
    const PointCoverage& found = findings.at_points[i];
    Json broken = Json::array();
    for (const PointCoverage::Broken& one : found.broken)
      broken.push_back({{"fault", one.fault}, {"invariants", one.invariants}});
    points.push_back({{"at", iso_milliseconds(point.at)},
                      {"kind", kPointKinds[static_cast<std::size_t>(point.kind)]},
                      {"about", point.about},
                      {"machine", point.machine},
                      {"tried", found.tried},
                      {"no_effect", found.no_effect},
                      {"broken", broken}});
  }
  return points;
}

Json script_json(const Explanation& explanation) {
  Json lines = Json::array();
  for (const Explanation::Line& line : explanation.lines)
    lines.push_back({{"why", line.why},
                     {"file", line.at.file},
                     {"line", line.at.number},
                     {"text", line.at.text}});
  return lines;
}

// The place of the way to which this failure belongs.
std::size_t way_of(const std::vector<Way>& ways, std::size_t failure) {
  const auto way = std::ranges::find_if(
      ways, [&](const Way& one) { return std::ranges::find(one, failure) != one.end(); });
  return static_cast<std::size_t>(way - ways.begin());
}

std::string command(const fs::path& scenario) { return "spotsim run " + scenario.string(); }

std::string coverage_table(const Findings& findings) {
  std::string text = "  single faults           points    tried  no effect\n";
  Coverage all;
  const auto row = [&text](const std::string& kind, const Coverage& coverage) {
    text += fmt::format("  {:<20} {:>9} {:>8} {:>10}\n", kind, coverage.points, coverage.tried,
                        coverage.no_effect);
  };
  for (const auto& [kind, coverage] : findings.singles) {
    row(kind, coverage);
    all.points += coverage.points;
    all.tried += coverage.tried;
    all.no_effect += coverage.no_effect;
  }
  row("all", all);
  return text;
}

// The evidence of a failure: what was found, by which faults, where in the script, and the
// consoles.
std::string evidence(const Failure& failure, const Explanation& explanation,
                     const scenario::Scenario& scenario) {
  std::string text;
  for (const Breach& other : also(failure))
    text += fmt::format("   and: {} ({})\n     {}\n", other.sentence, other.id, other.found);
  if (failure.tried.plan.empty())
    text += scenario.faults.empty() ? "   without a fault\n"
                                    : "   with the scenario's own faults alone\n";
  for (const std::string& fault : failure.tried.plan) text += "   fault " + fault + "\n";
  for (const Explanation::Line& line : explanation.lines)
    text += fmt::format("   {}: {}:{}: {}\n", line.why, line.at.file, line.at.number, line.at.text);
  for (const std::string& line : failure.breach.lines) text += "     " + line + "\n";
  if (!failure.tried.console.empty()) text += "   the consoles end with\n";
  for (const std::string& line : failure.tried.console) text += "     " + line + "\n";
  if (failure.alike > 1) text += fmt::format("   and {} similar plans\n", failure.alike - 1);
  for (const std::string& remedy : explanation.remedies) text += "   " + remedy + "\n";
  return text;
}

}  // namespace

std::vector<fs::path> write_findings(const Findings& findings, const Runner& runner,
                                     const scenario::Overrides& overrides, const fs::path& folder) {
  const fs::path failing = folder / "failing";
  std::error_code ignored;
  fs::remove_all(failing, ignored);
  fs::create_directories(failing, ignored);
  std::vector<fs::path> scenarios;
  for (const Failure& failure : findings.failures) {
    const fs::path file =
        failing / fmt::format("{:02}-{}.yaml", scenarios.size() + 1, failure.breach.id);
    write(file, scenario_text(failure, runner, overrides, file));
    scenarios.push_back(file);
  }
  write(folder / "explore.json", to_text(to_json(findings, runner, scenarios)) + "\n");
  return scenarios;
}

std::string to_text(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

std::string report(const Findings& findings, const Runner& runner,
                   const std::vector<fs::path>& scenarios) {
  const scenario::Scenario& scenario = runner.scenario();
  std::string text = fmt::format(
      "{}: {} runs with {} guests, seed {}{}\n{} strike points at {} instants\n\n", scenario.name,
      findings.runs, runner.fibers() ? "fiber" : "process", runner.seed(),
      findings.resumed ? fmt::format(" ({} of an earlier search)", findings.resumed) : "",
      findings.points.size(), findings.instants);
  if (findings.singles.empty())
    text +=
        "no single fault of these kinds fits the points of this run (--singles all tries all)\n";
  else
    text += coverage_table(findings);
  text += fmt::format("{} of {} places tried (repeated calls and steps are one place)\n",
                      findings.tried_places, findings.places);
  if (findings.pairs > 0 || findings.random_plans > 0)
    text += fmt::format("pairs: {} tried, {} similar pairs skipped; random plans: {}\n",
                        findings.pairs, findings.equivalent_pairs, findings.random_plans);
  if (!findings.complete)
    text += fmt::format("The search is not complete: {}.\n",
                        findings.interrupted ? "it was interrupted" : "--runs or --time ended it");
  if (!findings.cut_off.empty())
    text += fmt::format("runs cut off, because they had not ended after --time: {}, such as: {}\n",
                        findings.cut_off.size(), to_yaml(findings.cut_off.front()));
  if (findings.impossible)
    text += fmt::format("{} runs are impossible with guests of this kind, such as: {}\n",
                        findings.impossible, findings.first_impossible);
  const ScriptLines scripts(scenario);
  for (const Way& way : ways_to_fail(findings)) {
    const Failure& failure = findings.failures[way.front()];
    text += fmt::format("\n{}. BROKEN: {} ({})\n   {}\n", way.front() + 1, failure.breach.sentence,
                        failure.breach.id, failure.breach.found);
    text += evidence(failure, explain(failure, findings, scenario, scripts), scenario);
    text += "   " + command(scenarios[way.front()]) + "\n";
    if (way.size() > 1) text += "   probably the same cause:\n";
    for (std::size_t i = 1; i < way.size(); ++i)
      text += fmt::format("     {}. {}\n        {}\n", way[i] + 1,
                          fmt::join(findings.failures[way[i]].tried.plan, ", "),
                          command(scenarios[way[i]]));
  }
  if (findings.failures.empty()) text += "\nNo invariant and no expectation was broken.\n";
  return text + fmt::format("\n{}: {}\n", scenario.name, summary_of(findings));
}

Json to_json(const Findings& findings, const Runner& runner,
             const std::vector<fs::path>& scenarios) {
  Json singles = Json::object();
  for (const auto& [kind, coverage] : findings.singles)
    singles[kind] = {
        {"points", coverage.points}, {"tried", coverage.tried}, {"no_effect", coverage.no_effect}};
  const std::vector<Way> ways = ways_to_fail(findings);
  const ScriptLines scripts(runner.scenario());
  Json failures = Json::array(), cut_off = Json::array();
  for (const PlanText& plan : findings.cut_off) cut_off.push_back(to_yaml(plan));
  for (std::size_t i = 0; i < findings.failures.size(); ++i) {
    const Failure& failure = findings.failures[i];
    Json others = Json::array();
    for (const Breach& other : also(failure))
      others.push_back({{"invariant", other.id}, {"found", other.found}});
    const Explanation explanation = explain(failure, findings, runner.scenario(), scripts);
    failures.push_back({{"invariant", failure.breach.id},
                        {"sentence", failure.breach.sentence},
                        {"found", failure.breach.found},
                        {"lines", failure.breach.lines},
                        {"also", others},
                        {"console", failure.tried.console},
                        {"faults", failure.tried.plan},
                        {"way", 1 + way_of(ways, i)},
                        {"script", script_json(explanation)},
                        {"remedies", explanation.remedies},
                        {"alike", failure.alike},
                        {"scenario", scenarios[i].string()},
                        {"command", command(scenarios[i])}});
  }
  return {{"schema", kSchema},
          {"kind", "explore"},
          {"scenario", runner.scenario().name},
          {"seed", runner.seed()},
          {"guest", runner.fibers() ? "fiber" : "process"},
          {"runs", findings.runs},
          {"strike_points", findings.points.size()},
          {"instants", findings.instants},
          {"singles", singles},
          {"places", findings.places},
          {"tried_places", findings.tried_places},
          {"points", points_json(findings)},
          {"fault_free", kFaultFree},
          {"pairs", findings.pairs},
          {"equivalent_pairs", findings.equivalent_pairs},
          {"random_plans", findings.random_plans},
          {"impossible", findings.impossible},
          {"cut_off", cut_off},
          {"complete", findings.complete},
          {"interrupted", findings.interrupted},
          {"ways", ways.size()},
          {"failures", failures}};
}

}  // namespace sim::explore
