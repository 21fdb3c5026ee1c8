#include "sim/cli/schema/schemas.h"

#include <vector>

namespace sim::cli {
namespace {

std::vector<Schema> all_schemas() {
  std::vector<Schema> all{
      {"scenario", "scenarios: spotsim run, explore, serve", "", true},
      {"sweep", "sweeps: spotsim sweep", "", true},
      {"advice", "jobs for spotsim advise", "", true},
      {"job", "job files of spotrun", "", true},
      {"faults", "lists of faults: a scenario's key `faults`", "", true},
      {"result", "result.json of a run", "", false},
      {"events", "lines of events.jsonl", "", false},
      {"report", "the data of a run's page", "", false},
      {"explore", "explore.json of a search", "", false},
      {"advice-result", "the answer of spotsim advise --json", "", false},
      {"checkpoint", "header and manifest of spottrain's checkpoints", "", false},
      {"policy-line", "lines that programs as checkpoint policies get", "", false},
      {"strategy-line", "lines that programs as acquisition strategies get", "", false}};
  for (Schema& schema : all)
    schema.text = builtin_schema(schema.name == "faults" ? "scenario" : schema.name);
  return all;
}

// A list with the form of a scenario's `faults`.
Json list_of_faults(const Json& scenario) {
  const Json& definitions = scenario.at("$defs");
  return {{"$schema", scenario.at("$schema")},
          {"title", "Faults of spotsim"},
          {"description", "A list of faults, as a scenario's key `faults` has it."},
          {"$defs", definitions},
          {"type", "array"},
          {"items", definitions.at("faults").at("items")}};
}

}  // namespace

std::span<const Schema> schemas() {
  static const std::vector<Schema> all = all_schemas();
  return all;
}

Json schema_for_editors(const Schema& schema) {
  Json text = Json::parse(schema.text);
  if (!schema.written_by_people) return text;
  complete_schema(text);
  name_values(text);
  return schema.name == "faults" ? list_of_faults(text) : text;
}

}  // namespace sim::cli
