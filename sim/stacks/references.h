// Which names a template's values refer to, whether they exist, and in which order resources must
// be made.
#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "sim/stacks/template.h"

namespace sim::stacks {

struct References {
  std::set<std::string> names;                               // of Ref and of ${Name}
  std::set<std::pair<std::string, std::string>> attributes;  // resource and attribute
  std::set<std::string> conditions;
  std::set<std::string> imports;  // names that are plain strings
};

// Of all values below `tree`, both branches of each Fn::If included. Throws ApiError
// ValidationError for a call of a reference function that is malformed.
References references(const Json& tree);

// A piece of a text of Fn::Sub: plain text, or the name in ${name}.
struct SubPiece {
  std::string text;
  bool is_name = false;
};
std::vector<SubPiece> split_sub(const std::string& text);

// The resources that a resource's properties, metadata and DependsOn name.
std::set<std::string> dependencies(const ResourceDefinition& resource, const Template& of);

// Throws ApiError ValidationError for a reference to what does not exist, and for a circle.
void check_references(const Template& of);

}  // namespace sim::stacks
