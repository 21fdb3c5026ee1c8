// Whole runs with fiber guests, of shipped scenarios or slightly changed ones.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "sim/events/event.h"
#include "sim/run/run.h"

namespace sim::run {

namespace fs = std::filesystem;

inline const fs::path kScenarios = fs::path(SPOTSIM_SOURCE_DIR) / "scenarios";

inline scenario::Scenario shipped(const std::string& name) {
  return scenario::read_scenario(kScenarios / (name + ".yaml"));
}

// Sets the scenario's interruptions, written as in a file: "[{instance: 2, after: 20m}]".
inline void interrupt(scenario::Scenario& scenario, const std::string& interruptions) {
  scenario.interruptions =
      scenario::read_scenario(scenario.file, {{"interruptions", interruptions, "test"}})
          .interruptions;
}
// Moves the scenario's first interruption to this time after the start.
inline void interrupt_at(scenario::Scenario& scenario, Duration after) {
  scenario.interruptions.at(0).when = faults::AtTime{after};
}

// The shipped scenario with one text replaced.
inline scenario::Scenario changed(const std::string& name, const std::string& from,
                                  const std::string& to) {
  std::ostringstream text;
  text << std::ifstream(kScenarios / (name + ".yaml")).rdbuf();
  std::string scenario = text.str();
  const auto at = scenario.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return scenario::parse_scenario(scenario.replace(at, from.size(), to),
                                  kScenarios / (name + ".yaml"));
}

struct Played {
  RunReport report;
  std::vector<std::string> lines;  // without imds.request
  std::size_t metadata_requests = 0;
};

inline Played play(const scenario::Scenario& scenario,
                   const std::function<void(RunOptions&)>& change = {}) {
  Played played;
  RunOptions options{
      .output = "", .programs = "", .seed = scenario.seed, .guest = scenario::GuestKind::kFiber};
  options.listen = [&](events::Listeners& log, const auto&, const auto&) {
    log.on_all([&](const events::AnyEvent& event, std::string_view) {
      if (event.kind() == events::Kind::kImdsRequest)
        ++played.metadata_requests;
      else
        played.lines.push_back(to_line(event));
    });
  };
  if (change) change(options);
  played.report = run(scenario, options);
  return played;
}

inline std::string refused(const scenario::Scenario& scenario) {
  try {
    play(scenario);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// The events of this kind, in order.
inline std::vector<Event> told(const Played& played, const std::string& kind) {
  std::vector<Event> events;
  for (const std::string& line : played.lines) {
    if (contains(line, kind)) events.push_back(parse_event(line));
  }
  std::erase_if(events, [&](const Event& event) { return event.kind != kind; });
  return events;
}

// The lines of a log without redundant polls. Of the Describe calls of a caller between two other
// calls, only the first one of each action and the very last one remain.
inline std::vector<std::string> without_looks_between(const std::vector<std::string>& lines) {
  struct Looks {
    std::set<std::string> seen;
    std::optional<std::size_t> last;  // not the first call of its action
  };
  std::map<std::string, Looks> looks;  // by caller
  std::set<std::size_t> between;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (!contains(lines[i], R"("event":"api.call")")) continue;
    const Json call = parse_event(lines[i]).fields;
    Looks& of_caller = looks[call["caller"].get<std::string>()];
    if (!call["action"].get<std::string>().starts_with("Describe")) {
      of_caller = {};
    } else if (!of_caller.seen.insert(call.dump()).second) {
      if (of_caller.last) between.insert(*of_caller.last);
      of_caller.last = i;
    }
  }
  std::vector<std::string> rest;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (!between.contains(i)) rest.push_back(lines[i]);
  }
  return rest;
}

}  // namespace sim::run
