#include "sim/stacks/evaluation.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/text/lower_case.h"

namespace sim::stacks {
namespace {

void add_tags(Json& properties, const Tags& tags) {
  if (tags.empty()) return;
  Json& own = properties["Tags"];
  if (!own.is_array()) own = Json::array();
  for (const auto& [key, value] : tags) {
    const bool given = std::ranges::any_of(own, [&key = key](const Json& tag) {
      return tag.is_object() && tag.contains("Key") && tag.at("Key") == key;
    });
    if (!given) own.push_back(Json{{"Key", key}, {"Value", value}});
  }
}

std::string as_text(const Json& value, const std::string& output) {
  if (!value.is_string())
    throw invalid("Template format error: Output " + output +
                  " is malformed. The Value field of every Outputs member must evaluate to a "
                  "String.");
  return value.get<std::string>();
}

// An ARN for a skipped resource. It has the form that IAM policies require.
std::string placeholder_arn(const PseudoParameters& stack, const Resource& resource) {
  const std::string& type = resource.definition.type;  // "AWS::DynamoDB::Table"
  const auto service = type.find("::") + 2;
  return fmt::format("arn:aws:{}:{}:{}:{}",
                     base::lower_case(type.substr(service, type.find("::", service) - service)),
                     stack.region, stack.account_id, resource.physical_id);
}

}  // namespace

Handle handle_of(const PseudoParameters& stack, const Resource& resource, const Actor& actor) {
  return {.stack_name = stack.stack_name,
          .stack_id = stack.stack_id,
          .logical_id = resource.definition.id,
          .type = resource.definition.type,
          .physical_id = resource.physical_id,
          .properties = resource.properties,
          .actor = actor};
}

Evaluation::Evaluation(ResourceTypes& types, PseudoParameters pseudo, const Description& of,
                       Import import, std::set<std::string> unknown, Actor actor)
    : types_(types),
      pseudo_(std::move(pseudo)),
      of_(of),
      unknown_(std::move(unknown)),
      actor_(std::move(actor)),
      names_{*of.of,
             pseudo_,
             of.parameters.values,
             of.conditions,
             [this](const std::string& id) { return reference(id, nullptr); },
             [this](const std::string& id, const std::string& attribute) {
               return reference(id, &attribute);
             },
             std::move(import),
             [this](const std::string& region) { return types_.zones(region); }} {}

Json Evaluation::reference(const std::string& id, const std::string* attribute) const {
  const auto found = of_.resources.find(id);
  if (found == of_.resources.end())
    throw invalid("Template format error: Unresolved resource dependencies [" + id +
                  "] in the Resources block of the template");
  const Resource& resource = found->second;
  if (unknown_.contains(id) || !resource.exists())
    return "{{changeSet:KNOWN_AFTER_APPLY}} " + id + (attribute ? "." + *attribute : "");
  if (types_.is_skipped(resource.definition.type))
    return attribute && attribute->ends_with("Arn") ? placeholder_arn(pseudo_, resource)
                                                    : resource.physical_id;
  const Handle handle = handle_of(pseudo_, resource, actor_);
  return attribute ? types_.attribute(handle, *attribute) : types_.ref(handle);
}

Json Evaluation::properties(const Resource& resource) const {
  Json properties = evaluate(resource.definition.properties, names_);
  const Traits* traits = types_.find(resource.definition.type);
  if (traits && traits->has_tags) add_tags(properties, of_.tags);
  return properties;
}

Json Evaluation::metadata(const Resource& resource) const {
  return evaluate(resource.definition.metadata, names_);
}

std::vector<Output> Evaluation::outputs() const {
  std::vector<Output> outputs;
  for (const OutputDefinition& output : of_.of->outputs) {
    if (!output.condition.empty() && !of_.conditions.at(output.condition)) continue;
    const Json exported = evaluate(output.export_name, names_);
    outputs.push_back({.name = output.name,
                       .value = as_text(evaluate(output.value, names_), output.name),
                       .description = output.description,
                       .export_name = exported.is_string() ? exported.get<std::string>() : ""});
  }
  return outputs;
}

}  // namespace sim::stacks
