#include "sim/serve/control_faults.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "sim/faults/kinds.h"
#include "sim/scenario/scenario.h"
#include "sim/serve/control.h"

namespace sim::serve {
namespace {

// The messages "kind: found …", without the place of a file that each message begins with.
std::string without_places(const std::vector<std::string>& messages) {
  std::string text;
  for (const std::string& message : messages)
    text += (text.empty() ? "" : "; ") + message.substr(message.find(": ") + 2);
  return text;
}

bool waits(const InjectedFault& injected) {
  const faults::When& when = injected.fault->when;
  if (!injected.tally.part) return false;
  if (std::holds_alternative<faults::Drawn>(when) || std::holds_alternative<faults::Lifetime>(when))
    return true;  // it repeats
  return injected.tally.strikes == 0;
}

Json row_of(const InjectedFault& injected) {
  return {{"id", injected.id},
          {"fault", faults::to_yaml(*injected.fault)},
          {"state", injected.lasts    ? "lasts"
                    : waits(injected) ? "waits"
                                      : "over"},
          {"strikes", injected.tally.strikes},
          {"found", injected.tally.found}};
}

Json kinds_that_can_strike(ServedCloud& served) {
  Json kinds = Json::array();
  for (const faults::Kind* const kind : faults::kinds()) {
    if (!served.can(*kind)) continue;
    Json parameters = Json::array();
    for (const faults::Parameter& parameter : kind->parameters)
      parameters.push_back({{"name", parameter.name},
                            {"default", parameter.fallback},
                            {"words", parameter.words},
                            {"meaning", parameter.meaning},
                            {"required", parameter.required}});
    kinds.push_back({{"kind", kind->name}, {"does", kind->does}, {"parameters", parameters}});
  }
  return kinds;
}

}  // namespace

Json list_faults(ServedCloud& served) {
  Json list = Json::array();
  for (const InjectedFault& injected : served.injected()) list.push_back(row_of(injected));
  return {{"now", iso_nanoseconds(served.now())},
          {"faults", list},
          {"kinds", kinds_that_can_strike(served)}};
}

Json remove_fault(ServedCloud& served, ControlFields& fields) {
  const bool all = fields.whole().value("id", Json()) == "all";
  if (all) fields.required_text("id", "a fault's ID, or all");
  const int id = all ? 0 : fields.required_integer("id", 1, std::numeric_limits<int>::max());
  fields.finish();
  Json removed = Json::array();
  for (const InjectedFault& injected : served.injected())
    if (all || injected.id == id) removed.push_back(row_of(injected));
  if (!all && removed.empty())
    throw ControlError(404,
                       fmt::format("id: found {}, expected the ID of a fault that GET {}faults "
                                   "lists",
                                   id, kControlPrefix));
  for (const Json& row : removed) served.remove_fault(row.at("id"));
  return {{"now", iso_nanoseconds(served.now())}, {"removed", removed}};
}

// Reads the body with the reader of scenarios, because JSON is YAML.
Json inject_fault(ServedCloud& served, ControlFields& fields) {
  Json entry = fields.whole();
  constexpr const char* kWhen[] = {"at",         "every",       "on",      "before_call",
                                   "after_call", "on_metadata", "lifetime"};
  if (std::ranges::none_of(kWhen, [&](const char* key) { return entry.contains(key); }))
    entry["at"] = "0s";
  scenario::Scenario scenario = served.scenario();
  scenario.file = "fault";
  faults::Fault fault;
  try {
    fault = scenario::parse_fault(entry.dump(), scenario);
  } catch (const scenario::ScenarioError& error) {
    throw ControlError(400, without_places(error.messages()));
  }
  if (!served.can(*faults::find_kind(fault.kind)))
    throw ControlError(409, fmt::format("kind: found {}, which strikes programs on instances, "
                                        "expected one of GET {}faults: nothing runs on these",
                                        fault.kind, kControlPrefix));
  const std::string text = faults::to_yaml(fault);
  const faults::Tally tally = served.inject(std::move(fault));
  return {{"now", iso_nanoseconds(served.now())},
          {"id", served.injected().back().id},
          {"fault", text},
          {"strikes", tally.strikes},
          {"found", tally.found}};
}

}  // namespace sim::serve
