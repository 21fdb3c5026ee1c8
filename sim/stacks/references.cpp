#include "sim/stacks/references.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "sim/stacks/pseudo_parameters.h"

namespace sim::stacks {
namespace {

std::string only_text(const Json& argument, const char* message) {
  if (!argument.is_string()) throw invalid(message);
  return argument.get<std::string>();
}

void see(const Json& tree, References& seen);

// Records "Name" or "Resource.Attribute" in a text of Fn::Sub.
void see_sub_name(const std::string& name, References& seen) {
  const auto dot = name.find('.');
  if (dot == name.npos)
    seen.names.insert(name);
  else
    seen.attributes.insert({name.substr(0, dot), name.substr(dot + 1)});
}

void see_sub(const Json& argument, References& seen) {
  const bool has_map = argument.is_array() && argument.size() == 2 && argument[1].is_object();
  if (!argument.is_string() && !(has_map && argument[0].is_string()))
    throw invalid(
        "Template error: One or more Fn::Sub intrinsic functions don't specify expected arguments. "
        "Specify a string as first argument, and an optional second argument to specify a mapping "
        "of values to replace in the string");
  if (has_map) see(argument[1], seen);
  const Json& text = has_map ? argument[0] : argument;
  for (const SubPiece& piece : split_sub(text.get<std::string>()))
    if (piece.is_name && !(has_map && argument[1].contains(piece.text)))
      see_sub_name(piece.text, seen);
}

void see_attribute(const Json& argument, References& seen) {
  if (argument.is_string()) {  // YAML also allows "A.b" in the long form
    see_sub_name(argument.get<std::string>(), seen);
    return;
  }
  const bool two = argument.is_array() && argument.size() == 2 && argument[0].is_string();
  if (!two)
    throw invalid(
        "Template error: every Fn::GetAtt object requires two non-empty parameters, the resource "
        "name and the resource attribute");
  see(argument[1], seen);
  seen.attributes.insert({argument[0].get<std::string>(),
                          argument[1].is_string() ? argument[1].get<std::string>() : ""});
}

void see_if(const Json& argument, References& seen) {
  if (!argument.is_array() || argument.size() != 3 || !argument[0].is_string())
    throw invalid("Template error: Fn::If requires a list argument with three parameters");
  seen.conditions.insert(argument[0].get<std::string>());
  see(argument[1], seen);
  see(argument[2], seen);
}

void see_call(const std::string& function, const Json& argument, References& seen) {
  if (function == "Ref")
    seen.names.insert(
        only_text(argument, "Template error: every Ref object must have a single String value."));
  else if (function == "Fn::Sub")
    see_sub(argument, seen);
  else if (function == "Fn::GetAtt")
    see_attribute(argument, seen);
  else if (function == "Fn::If")
    see_if(argument, seen);
  else if (function == "Fn::ImportValue" && argument.is_string())
    seen.imports.insert(argument.get<std::string>());
  else
    see(argument, seen);
}

void see(const Json& tree, References& seen) {
  if (tree.is_object() && tree.size() == 1) {
    const auto& only = tree.items().begin();
    return see_call(only.key(), only.value(), seen);
  }
  if (tree.is_structured())
    for (const Json& child : tree) see(child, seen);
}

// ---- checks

void check_block(const Json& tree, const Template& of, const std::string& block) {
  const References seen = references(tree);
  std::vector<std::string> unresolved;
  for (const std::string& name : seen.names)
    if (!is_pseudo_parameter(name) && !of.parameter(name) && !of.resource(name))
      unresolved.push_back(name);
  if (!unresolved.empty())
    throw invalid(fmt::format(
        "Template format error: Unresolved resource dependencies [{}] in the {} block of the "
        "template",
        fmt::join(unresolved, ", "), block));
  for (const auto& [resource, attribute] : seen.attributes)
    if (!of.resource(resource))
      throw invalid(fmt::format(
          "Template error: instance of Fn::GetAtt references undefined resource {}", resource));
  for (const std::string& condition : seen.conditions)
    if (!of.conditions.contains(condition))
      throw invalid(
          fmt::format("Template format error: Unresolved condition dependency {} in the "
                      "{} block of the template",
                      condition, block));
}

void check_conditions(const Template& of) {
  const References seen = references(of.conditions);
  for (const std::string& name : seen.names)
    if (!is_pseudo_parameter(name) && !of.parameter(name))
      throw invalid(
          fmt::format("Template format error: Unresolved dependencies [{}]. Cannot "
                      "reference resources in the Conditions block of the template",
                      name));
  if (!seen.attributes.empty())
    throw invalid("Template error: Cannot use Fn::GetAtt in the Conditions block of the template");
}

void check_condition_of(const std::string& condition, const Template& of, const char* block) {
  if (!condition.empty() && !of.conditions.contains(condition))
    throw invalid(
        fmt::format("Template format error: Unresolved condition dependency {} in the {} "
                    "block of the template",
                    condition, block));
}

// Throws if resources depend on each other in a circle, so that none of them can be created first.
void check_circles(const Template& of) {
  std::map<std::string, std::set<std::string>> needs;
  for (const ResourceDefinition& resource : of.resources)
    needs[resource.id] = dependencies(resource, of);
  std::set<std::string> made;
  for (bool more = true; more;) {
    more = false;
    std::erase_if(needs, [&](const auto& entry) {
      const bool ready =
          std::ranges::all_of(entry.second, [&](const auto& id) { return made.contains(id); });
      if (ready) made.insert(entry.first), more = true;
      return ready;
    });
  }
  if (needs.empty()) return;
  std::vector<std::string> left;
  for (const auto& [id, unused] : needs) left.push_back(id);
  throw invalid(fmt::format("Circular dependency between resources: [{}]", fmt::join(left, ", ")));
}

}  // namespace

References references(const Json& tree) {
  References seen;
  see(tree, seen);
  return seen;
}

std::vector<SubPiece> split_sub(const std::string& text) {
  std::vector<SubPiece> pieces{{}};
  for (std::size_t at = 0; at < text.size();) {
    const auto end = text.compare(at, 2, "${") == 0 ? text.find('}', at) : text.npos;
    if (end == text.npos) {
      pieces.back().text += text[at++];
    } else if (text.compare(at, 3, "${!") == 0) {
      pieces.back().text += "${" + text.substr(at + 3, end - at - 2);
      at = end + 1;
    } else {
      std::string name = text.substr(at + 2, end - at - 2);
      name.erase(0, name.find_first_not_of(' '));
      name.erase(name.find_last_not_of(' ') + 1);
      const bool good = !name.empty() && std::ranges::all_of(name, [](unsigned char c) {
        return std::isalnum(c) != 0 || c == '_' || c == '.' || c == ':';
      });
      if (!good)
        throw invalid(
            "Template error: variable names in Fn::Sub syntax must contain only alphanumeric "
            "characters, underscores, periods, and colons");
      pieces.push_back({std::move(name), true});
      pieces.push_back({});
      at = end + 1;
    }
  }
  return pieces;
}

std::set<std::string> dependencies(const ResourceDefinition& resource, const Template& of) {
  References seen;
  for (const Json* part : {&resource.properties, &resource.metadata, &resource.creation_policy,
                           &resource.update_policy})
    see(*part, seen);
  std::set<std::string> ids(resource.depends_on.begin(), resource.depends_on.end());
  for (const std::string& name : seen.names)
    if (of.resource(name)) ids.insert(name);
  for (const auto& [id, attribute] : seen.attributes) ids.insert(id);
  return ids;
}

void check_references(const Template& of) {
  check_conditions(of);
  for (const ResourceDefinition& resource : of.resources) {
    for (const Json* part : {&resource.properties, &resource.metadata, &resource.creation_policy,
                             &resource.update_policy})
      check_block(*part, of, "Resources");
    check_condition_of(resource.condition, of, "Resources");
    for (const std::string& id : resource.depends_on)
      if (!of.resource(id))
        throw invalid(fmt::format(
            "Template format error: Unresolved resource dependencies [{}] in the Resources block "
            "of the template",
            id));
  }
  for (const OutputDefinition& output : of.outputs) {
    check_block(output.value, of, "Outputs");
    check_block(output.export_name, of, "Outputs");
    check_condition_of(output.condition, of, "Outputs");
  }
  check_circles(of);
}

}  // namespace sim::stacks
