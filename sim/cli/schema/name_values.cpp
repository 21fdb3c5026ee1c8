#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>

#include "policies/acquisition/strategy.h"
#include "policies/checkpoint/policy.h"
#include "sim/cli/schema/schemas.h"
#include "sim/events/events.h"
#include "sim/faults/kinds.h"
#include "sim/market/instance_types.h"

namespace sim::cli {
namespace {

using faults::ArgumentType;
using faults::Parameter;

Json reference(std::string_view definition) {
  return {{"$ref", fmt::format("#/$defs/{}", definition)}};
}

// ---- names

// A user's own file may have more types, so other names are valid, too.
Json instance_type_names() {
  Json names = Json::array();
  for (const auto& [name, type] : *market::instance_types()) names.push_back(name);
  return {{"type", "string"}, {"anyOf", {{{"enum", names}}, {{"type", "string"}}}}};
}

Json action_names() {
  Json names = Json::array({"any"});
  for (const std::string& action : faults::known_actions()) names.push_back(action);
  return {{"enum", names}};
}

Json event_names() {
  Json names = Json::array();
  for (const auto& name : events::kNames) names.push_back(name);
  return {{"enum", names}};
}

Json fault_kind_names() {
  Json names = Json::array(), meanings = Json::array();
  for (const faults::Kind* kind : faults::kinds()) {
    names.push_back(kind->name);
    meanings.push_back(kind->does);
  }
  return {{"enum", names}, {"enumDescriptions", meanings}};
}

// Names such as "epoch" and "interval:10m", joined by `joint`. An editor offers single names.
template <typename Kinds>
Json policy_names(const Kinds& kinds, std::string_view joint, std::string_view others) {
  Json names = Json::array(), meanings = Json::array();
  std::string alternatives(others);
  for (const auto& kind : kinds) {
    names.push_back(kind.argument.empty() ? std::string(kind.name)
                                          : fmt::format("{}:{}", kind.name, kind.argument));
    meanings.push_back(kind.meaning);
    alternatives += fmt::format("{}{}{}", alternatives.empty() ? "" : "|", kind.name,
                                kind.argument.empty() ? "" : fmt::format(":[^{}]+", joint));
  }
  const std::string rest =
      joint == "+" ? "(\\+.+)?" : fmt::format("({} *({}))*", joint, alternatives);
  return {{"type", "string"},
          {"anyOf",
           {{{"enum", names}, {"enumDescriptions", meanings}},
            {{"pattern", fmt::format("^({}){}$", alternatives, rest)}}}}};
}

// ---- faults: each kind allows its own parameters

Json bounded(std::string_view type, const Parameter& parameter) {
  return {{"type", type}, {"minimum", parameter.lowest}, {"maximum", parameter.highest}};
}

Json words(std::string_view text) {
  Json list = Json::array();
  while (!text.empty()) {
    const auto space = std::min(text.find(' '), text.size());
    list.push_back(text.substr(0, space));
    text.remove_prefix(std::min(space + 1, text.size()));
  }
  return {{"enum", list}};
}

Json value_of(const Parameter& parameter) {
  switch (parameter.type) {
    case ArgumentType::kFlag:
      return {{"type", "boolean"}};
    case ArgumentType::kWhole:
      return bounded("integer", parameter);
    case ArgumentType::kMachine:
      return {{"type", "integer"}, {"minimum", 1}};
    case ArgumentType::kNumber:
      return bounded("number", parameter);
    case ArgumentType::kDuration:
      return reference("duration");
    case ArgumentType::kWord:
      return words(parameter.words);
    case ArgumentType::kText:
      return reference("text");
    case ArgumentType::kZone:
      return {{"type", "string"}};
    case ArgumentType::kType:
      return reference("instance_type");
    case ArgumentType::kAction:
      return reference("action");
    case ArgumentType::kPool:
      return reference("pool");
  }
  return Json::object();
}

Json described(const Parameter& parameter) {
  Json value = value_of(parameter);
  value["description"] =
      parameter.fallback.empty()
          ? std::string(parameter.meaning)
          : fmt::format("{}. Default: {}", parameter.meaning, parameter.fallback);
  return value;
}

Json if_kind(const faults::Kind& kind, const Json& common) {
  Json properties = Json::object(), names = Json::array(), required = Json::array();
  for (const auto& [name, property] : common.items()) names.push_back(name);
  for (const Parameter& parameter : kind.parameters) {
    properties[std::string(parameter.name)] = described(parameter);
    names.push_back(parameter.name);
    if (parameter.required) required.push_back(parameter.name);
  }
  Json then = {{"properties", properties}, {"propertyNames", {{"enum", names}}}};
  if (!required.empty()) then["required"] = required;
  return {
      {"if",
       {{"properties", {{"kind", {{"const", kind.name}}}}}, {"required", Json::array({"kind"})}}},
      {"then", then}};
}

void complete_fault(Json& fault) {
  Json rules = Json::array(), instants = Json::array();
  for (const faults::Kind* kind : faults::kinds())
    rules.push_back(if_kind(*kind, fault["properties"]));
  for (const auto* when :
       {"at", "every", "on", "before_call", "after_call", "on_metadata", "lifetime"})
    instants.push_back({{"required", Json::array({when})}});
  fault["allOf"] = rules;
  fault["oneOf"] = instants;
}

}  // namespace

void name_values(Json& schema) {
  Json& definitions = schema["$defs"];
  const auto fill = [&](const char* name, const auto& make) {
    if (definitions.contains(name)) definitions[name].update(make());
  };
  fill("instance_type", instance_type_names);
  fill("action", action_names);
  fill("event", event_names);
  fill("fault_kind", fault_kind_names);
  fill("checkpoint_policies",
       [] { return policy_names(policies::checkpoint_policy_kinds(), ",", ""); });
  fill("acquisition_policy",
       [] { return policy_names(policies::strategy_kinds(), "+", "optimum"); });
  if (definitions.contains("fault")) complete_fault(definitions["fault"]);
}

}  // namespace sim::cli
