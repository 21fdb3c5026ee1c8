// Turns a request into the description of a stack. All checks that CloudFormation makes before it
// creates the first resource are here.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <utility>

#include "sim/stacks/functions.h"
#include "sim/stacks/operation.h"
#include "sim/stacks/references.h"

namespace sim::stacks {
namespace {

constexpr std::string_view kCapabilities[] = {"CAPABILITY_IAM", "CAPABILITY_NAMED_IAM",
                                              "CAPABILITY_AUTO_EXPAND"};

void check_attributes(const Template& of, const ResourceTypes& types) {
  References seen;
  const auto see = [&](const Json& tree) { seen.attributes.merge(references(tree).attributes); };
  for (const ResourceDefinition& resource : of.resources) see(resource.properties);
  for (const OutputDefinition& output : of.outputs) see(output.value);
  for (const auto& [id, attribute] : seen.attributes) {
    const std::string& type = of.resource(id)->type;
    const Traits* traits = types.find(type);
    if (attribute.empty() || !traits || types.is_skipped(type)) continue;
    if (std::ranges::find(traits->attributes, attribute) == traits->attributes.end())
      throw invalid(fmt::format(
          "Template error: resource {} does not support attribute type {} in Fn::GetAtt", id,
          attribute));
  }
}

}  // namespace

void Stacks::check_types(const Template& of) const {
  std::vector<std::string> unknown;
  for (const ResourceDefinition& resource : of.resources) {
    const Traits* traits = types_.find(resource.type);
    if (types_.is_skipped(resource.type)) continue;
    if (!traits && std::ranges::count(unknown, resource.type) == 0)
      unknown.push_back(resource.type);
    const bool snapshots =
        resource.deletion == Disposal::kSnapshot || resource.replacement == Disposal::kSnapshot;
    if (traits && snapshots && !traits->has_snapshots)
      throw invalid(
          fmt::format("Template error: resource type {} does not support deletion policy Snapshot",
                      resource.type));
  }
  if (!unknown.empty())
    throw invalid(fmt::format("Template format error: Unrecognized resource types: [{}]",
                              fmt::join(unknown, ", ")));
  check_attributes(of, types_);
}

Template Stacks::validated(std::string text) const {
  Template made = parse_template(std::move(text));
  check_types(made);
  return made;
}

std::vector<std::string> Stacks::needed_capabilities(const Template& of) const {
  bool iam = false, named = false;
  for (const ResourceDefinition& resource : of.resources) {
    const Traits* traits = types_.find(resource.type);
    if (!traits || !traits->is_iam) continue;
    iam = true;
    named |= !traits->name_property.empty() &&
             resource.properties.contains(std::string(traits->name_property));
  }
  if (named) return {"CAPABILITY_NAMED_IAM"};
  if (iam) return {"CAPABILITY_IAM"};
  return {};
}

void Stacks::check_capabilities(const Template& of, const std::vector<std::string>& given) const {
  for (const std::string& capability : given)
    if (std::ranges::find(kCapabilities, capability) == std::end(kCapabilities))
      throw invalid(fmt::format(
          "1 validation error detected: Value '[{}]' at 'capabilities' failed to satisfy "
          "constraint: Member must satisfy constraint: [Member must satisfy enum value set: "
          "[CAPABILITY_IAM, CAPABILITY_NAMED_IAM, CAPABILITY_AUTO_EXPAND]]",
          fmt::join(given, ", ")));
  const auto has = [&](std::string_view name) {
    return std::ranges::find(given, name) != given.end();
  };
  for (const std::string& needed : needed_capabilities(of))
    if (!has(needed) && !has("CAPABILITY_NAMED_IAM"))
      throw ApiError("InsufficientCapabilitiesException",
                     fmt::format("Requires capabilities : [{}]", needed));
}

// Adds the resources whose condition is true, each with the resources that it depends on.
void Stacks::add_resources(Description& made) const {
  const auto active = [&](const std::string& condition) {
    return condition.empty() || made.conditions.at(condition);
  };
  for (const ResourceDefinition& definition : made.of->resources) {
    if (!active(definition.condition)) continue;
    Resource& resource = made.resources[definition.id];
    resource.definition = definition;
    for (Json ResourceDefinition::*part :
         {&ResourceDefinition::properties, &ResourceDefinition::metadata,
          &ResourceDefinition::creation_policy, &ResourceDefinition::update_policy})
      resource.definition.*part = decide_ifs(definition.*part, made.conditions);
  }
  for (auto& [id, resource] : made.resources) {
    for (const std::string& need : dependencies(resource.definition, *made.of)) {
      if (made.resources.contains(need))
        resource.needs.insert(need);
      else if (std::ranges::count(resource.definition.depends_on, need) == 0)
        throw invalid(
            fmt::format("Template format error: Unresolved resource dependencies [{}] in "
                        "the Resources block of the template",
                        need));
    }
  }
}

Description Stacks::describe(const StackRequest& request, const Stack* previous) const {
  if (!request.template_text && !previous)
    throw invalid("Either Template URL or Template Body must be specified.");
  Description made;
  made.of = request.template_text
                ? std::make_shared<const Template>(validated(*request.template_text))
                : previous->now.of;
  made.parameters = parameter_values(
      *made.of, request.parameters,
      previous ? previous->now.parameters.texts : std::map<std::string, std::string>{},
      [&](const std::string& name) { return types_.stored_parameter(name, request.caller); });
  check_capabilities(*made.of, request.capabilities);
  made.capabilities = request.capabilities;
  made.notification_arns = request.notification_arns;
  made.tags = request.tags ? *request.tags : previous ? previous->now.tags : Tags{};
  made.role_arn = request.role_arn.empty() && previous ? previous->now.role_arn : request.role_arn;
  if (!made.role_arn.empty()) types_.check_role(made.role_arn);
  PseudoParameters identity{.account_id = account_.id,
                            .region = account_.region,
                            .stack_name = previous ? previous->name : request.name,
                            .stack_id = previous ? previous->id : "",
                            .notification_arns = request.notification_arns};
  made.conditions = evaluate_conditions(*made.of, identity, made.parameters.values);
  add_resources(made);
  return made;
}

}  // namespace sim::stacks
