#include "sim/serve/control_faults.h"

#include <fmt/format.h>

#include <algorithm>
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

}  // namespace

Json fault_kinds(ServedCloud& served) {
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
  return {{"kinds", kinds}};
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
          {"fault", text},
          {"strikes", tally.strikes},
          {"found", tally.found}};
}

}  // namespace sim::serve
