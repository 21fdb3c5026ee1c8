#include "sim/stacks/template.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>

#include "sim/stacks/references.h"

namespace sim::stacks {
namespace {

constexpr std::string_view kSections[] = {
    "AWSTemplateFormatVersion",
    "Description",
    "Metadata",
    "Parameters",
    "Rules",
    "Mappings",
    "Conditions",
    "Transform",
    "Resources",
    "Outputs",
};
constexpr std::string_view kResourceKeys[] = {
    "Type",           "Properties",   "DependsOn", "Condition",           "DeletionPolicy",
    "CreationPolicy", "UpdatePolicy", "Metadata",  "UpdateReplacePolicy", "Description",
};
// Limits of a template (CloudFormation User Guide, "AWS CloudFormation quotas").
constexpr std::size_t kMostResources = 500, kMostParameters = 200, kMostOutputs = 200;

ApiError format_error(const std::string& message) {
  return invalid("Template format error: " + message);
}

const Json& section(const Json& tree, const char* name) {
  static const Json kNone = Json::object();
  const auto found = tree.find(name);
  if (found == tree.end()) return kNone;
  if (!found->is_object()) throw format_error(fmt::format("[/{}] is not a JSON object", name));
  return *found;
}

std::string text(const Json& object, const std::string& path, const char* key) {
  const auto found = object.find(key);
  if (found == object.end()) return "";
  if (!found->is_string()) throw format_error(fmt::format("[{}/{}] must be a string", path, key));
  return found->get<std::string>();
}

void check_keys(const Json& object, std::span<const std::string_view> known,
                const std::string& words) {
  std::vector<std::string> unknown;
  for (const auto& [key, value] : object.items())
    if (std::ranges::find(known, key) == known.end()) unknown.push_back(key);
  if (!unknown.empty()) throw invalid(fmt::format(fmt::runtime(words), fmt::join(unknown, ", ")));
}

std::optional<double> number(const Json& object, const std::string& path, const char* key) {
  const std::string digits = text(object, path, key);
  if (digits.empty()) return {};
  char* end = nullptr;
  const double value = std::strtod(digits.c_str(), &end);
  if (*end != '\0') throw format_error(fmt::format("[{}/{}] must be a number", path, key));
  return value;
}

// ---- parameters

constexpr std::string_view kParameterKeys[] = {
    "Type",     "Default",   "AllowedValues", "AllowedPattern", "ConstraintDescription", "MinValue",
    "MaxValue", "MinLength", "MaxLength",     "NoEcho",         "Description",
};

bool is_parameter_type(std::string_view type) {
  if (type == "String" || type == "Number" || type == "CommaDelimitedList") return true;
  for (const std::string_view outer : {"List<", "AWS::SSM::Parameter::Value<"})
    if (type.starts_with(outer) && type.ends_with('>'))
      return is_parameter_type(type.substr(outer.size(), type.size() - outer.size() - 1));
  return type.starts_with("AWS::") && type.find('<') == type.npos;
}

ParameterDefinition read_parameter(const std::string& name, const Json& from) {
  const std::string path = "/Parameters/" + name;
  if (!from.is_object()) throw format_error(fmt::format("[{}] must be an object", path));
  check_keys(from, kParameterKeys, "Invalid template parameter property '{}'");
  ParameterDefinition made{.name = name,
                           .type = text(from, path, "Type"),
                           .description = text(from, path, "Description"),
                           .allowed_pattern = text(from, path, "AllowedPattern"),
                           .constraint_description = text(from, path, "ConstraintDescription"),
                           .min_length = number(from, path, "MinLength"),
                           .max_length = number(from, path, "MaxLength"),
                           .min_value = number(from, path, "MinValue"),
                           .max_value = number(from, path, "MaxValue"),
                           .no_echo = text(from, path, "NoEcho") == "true"};
  if (made.type.empty()) throw format_error("Every Parameters object must contain a Type member.");
  if (!is_parameter_type(made.type))
    throw format_error(fmt::format("Unrecognized parameter type: {}", made.type));
  if (from.contains("Default")) made.default_value = text(from, path, "Default");
  if (const auto allowed = from.find("AllowedValues"); allowed != from.end()) {
    if (!allowed->is_array())
      throw format_error(fmt::format("[{}/AllowedValues] must be a list", path));
    for (const Json& value : *allowed) {
      if (!value.is_string())
        throw format_error(fmt::format("[{}/AllowedValues] must be a list of strings", path));
      made.allowed_values.push_back(value.get<std::string>());
    }
  }
  return made;
}

// ---- resources

struct DisposalName {
  std::string_view name;
  Disposal disposal;
};
constexpr DisposalName kDisposals[] = {{"Delete", Disposal::kDelete},
                                       {"Retain", Disposal::kRetain},
                                       {"RetainExceptOnCreate", Disposal::kRetainExceptOnCreate},
                                       {"Snapshot", Disposal::kSnapshot}};

Disposal read_disposal(const Json& from, const std::string& path, const char* key) {
  const std::string name = text(from, path, key);
  if (name.empty()) return Disposal::kDelete;
  const auto found = std::ranges::find(kDisposals, name, &DisposalName::name);
  if (found == std::end(kDisposals))
    throw format_error(fmt::format("Unrecognized {} {}", key, name));
  return found->disposal;
}

std::vector<std::string> read_depends_on(const Json& from, const std::string& path) {
  const auto found = from.find("DependsOn");
  if (found == from.end()) return {};
  if (found->is_string()) return {found->get<std::string>()};
  std::vector<std::string> names;
  if (found->is_array())
    for (const Json& name : *found)
      if (name.is_string()) names.push_back(name.get<std::string>());
  if (names.empty() || names.size() != found->size())
    throw format_error(fmt::format("[{}/DependsOn] must be a string or list of strings.", path));
  return names;
}

Json child(const Json& from, const char* key) {
  const auto found = from.find(key);
  return found == from.end() ? Json() : *found;
}

ResourceDefinition read_resource(const std::string& id, const Json& from) {
  const std::string path = "/Resources/" + id;
  if (!from.is_object())
    throw format_error(fmt::format("[{}] resource definition is malformed", path));
  const bool plain = std::ranges::all_of(id, [](unsigned char c) { return std::isalnum(c) != 0; });
  if (!plain) throw format_error(fmt::format("Resource name {} is non alphanumeric.", id));
  ResourceDefinition made{.id = id,
                          .type = text(from, path, "Type"),
                          .condition = text(from, path, "Condition"),
                          .depends_on = read_depends_on(from, path),
                          .deletion = read_disposal(from, path, "DeletionPolicy"),
                          .replacement = read_disposal(from, path, "UpdateReplacePolicy"),
                          .says_deletion = from.contains("DeletionPolicy"),
                          .creation_policy = child(from, "CreationPolicy"),
                          .update_policy = child(from, "UpdatePolicy"),
                          .metadata = child(from, "Metadata")};
  if (made.type.empty())
    throw format_error(
        fmt::format("[{}] Every Resources object must contain a Type member.", path));
  check_keys(from, kResourceKeys, "Invalid template resource property '{}'");
  if (const auto properties = from.find("Properties"); properties != from.end()) {
    if (!properties->is_object())
      throw format_error(fmt::format("[{}/Properties] 'Properties' must be an object", path));
    made.properties = *properties;
  }
  return made;
}

// ---- outputs

constexpr std::string_view kOutputKeys[] = {"Value", "Description", "Export", "Condition"};

OutputDefinition read_output(const std::string& name, const Json& from) {
  const std::string path = "/Outputs/" + name;
  if (!from.is_object()) throw format_error(fmt::format("[{}] must be an object", path));
  check_keys(from, kOutputKeys, "Invalid template output property '{}'");
  if (!from.contains("Value"))
    throw format_error("Every Outputs member must contain a Value object");
  OutputDefinition made{.name = name,
                        .description = text(from, path, "Description"),
                        .condition = text(from, path, "Condition"),
                        .value = from.at("Value")};
  if (const Json exported = child(from, "Export"); !exported.is_null()) {
    if (!exported.is_object() || exported.size() != 1 || !exported.contains("Name"))
      throw format_error(fmt::format("[{}/Export] must contain a Name and nothing else", path));
    made.export_name = exported.at("Name");
  }
  return made;
}

template <class Made>
std::vector<Made> read_all(const Json& section, Made (*read)(const std::string&, const Json&)) {
  std::vector<Made> all;
  for (const auto& [name, value] : section.items()) all.push_back(read(name, value));
  return all;
}

void check_size(std::string_view what, std::size_t count, std::size_t most) {
  if (count > most)
    throw format_error(
        fmt::format("Number of {}, {}, is greater than maximum allowed, {}", what, count, most));
}

}  // namespace

bool ParameterDefinition::is_list() const {
  return type.find("List<") != type.npos || type.find("CommaDelimitedList") != type.npos;
}

const ParameterDefinition* Template::parameter(std::string_view name) const {
  const auto found = std::ranges::find(parameters, name, &ParameterDefinition::name);
  return found == parameters.end() ? nullptr : &*found;
}

const ResourceDefinition* Template::resource(std::string_view id) const {
  const auto found = std::ranges::find(resources, id, &ResourceDefinition::id);
  return found == resources.end() ? nullptr : &*found;
}

Template parse_template(std::string text_of_template) {
  const Json tree = read_template_text(text_of_template);
  check_keys(tree, kSections, "Invalid template property or properties [{}]");
  for (const char* section_name : {"Transform", "Rules"})
    if (tree.contains(section_name))
      throw invalid(
          fmt::format("The template section {} is not part of this simulated AWS.", section_name));
  Template made{.description = text(tree, "", "Description"),
                .version = text(tree, "", "AWSTemplateFormatVersion"),
                .mappings = section(tree, "Mappings"),
                .conditions = section(tree, "Conditions"),
                .metadata = child(tree, "Metadata")};
  if (!made.version.empty() && made.version != "2010-09-09")
    throw format_error(
        fmt::format("unsupported value '{}' for AWSTemplateFormatVersion, expected "
                    "2010-09-09",
                    made.version));
  made.parameters = read_all(section(tree, "Parameters"), read_parameter);
  made.resources = read_all(section(tree, "Resources"), read_resource);
  made.outputs = read_all(section(tree, "Outputs"), read_output);
  if (made.resources.empty()) throw format_error("At least one Resources member must be defined.");
  check_size("resources", made.resources.size(), kMostResources);
  check_size("parameters", made.parameters.size(), kMostParameters);
  check_size("outputs", made.outputs.size(), kMostOutputs);
  check_references(made);
  made.text = std::move(text_of_template);
  return made;
}

}  // namespace sim::stacks
