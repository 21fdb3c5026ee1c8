// Finds the names that a template's values refer to, and checks that they exist. The references
// determine the order in which resources are created.
#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "sim/stacks/template.h"

namespace sim::stacks {

struct References {
  std::set<std::string> names;                               // in Ref and ${Name}
  std::set<std::pair<std::string, std::string>> attributes;  // pairs of resource and attribute
  std::set<std::string> conditions;
  std::set<std::string> imports;  // only names that are plain strings
};

// Collects the references in all values of `tree`, including both branches of each Fn::If. Throws
// ApiError ValidationError for a malformed call of a reference function.
References references(const Json& tree);

// A piece of an Fn::Sub text: plain text, or the name in ${name}.
struct SubPiece {
  std::string text;
  bool is_name = false;
};
std::vector<SubPiece> split_sub(const std::string& text);

// The resources that `resource` refers to in its properties, metadata and DependsOn.
std::set<std::string> dependencies(const ResourceDefinition& resource, const Template& of);

// Throws ApiError ValidationError for a reference to an unknown name, and for circular
// dependencies.
void check_references(const Template& of);

}  // namespace sim::stacks
