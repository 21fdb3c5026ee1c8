// A CloudFormation template with its sections as structs. Values remain trees of JSON with calls of
// functions, which functions.h evaluates.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/stacks/template_text.h"

namespace sim::stacks {

struct ParameterDefinition {
  std::string name, type, description;
  std::optional<std::string> default_value;
  std::vector<std::string> allowed_values;
  std::string allowed_pattern, constraint_description;
  std::optional<double> min_length, max_length, min_value, max_value;
  bool no_echo = false;

  // "AWS::SSM::Parameter::Value<String>": the parameter's value is a name in Parameter Store.
  bool from_parameter_store() const { return type.starts_with("AWS::SSM::Parameter::Value<"); }
  bool is_list() const;
};

// What CloudFormation does with a resource that a stack no longer needs.
enum class Disposal { kDelete, kRetain, kRetainExceptOnCreate, kSnapshot };

struct ResourceDefinition {
  std::string id, type, condition;
  Json properties = Json::object();
  std::vector<std::string> depends_on;
  Disposal deletion = Disposal::kDelete, replacement = Disposal::kDelete;
  bool says_deletion = false;  // the template states DeletionPolicy
  // CreationPolicy's ResourceSignal.
  Json creation_policy, update_policy, metadata;
};

struct OutputDefinition {
  std::string name, description, condition;
  Json value, export_name;  // export_name is null without Export
};

struct Template {
  std::string text, description, version;
  std::vector<ParameterDefinition> parameters;
  Json mappings = Json::object(), conditions = Json::object(), metadata;
  std::vector<ResourceDefinition> resources;
  std::vector<OutputDefinition> outputs;

  const ParameterDefinition* parameter(std::string_view name) const;
  const ResourceDefinition* resource(std::string_view id) const;
};

// Parses and checks a template as ValidateTemplate does, except for checks that depend on resource
// types. Throws ApiError ValidationError with the service's message.
Template parse_template(std::string text);

}  // namespace sim::stacks
