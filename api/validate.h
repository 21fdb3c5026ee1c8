// Checks a request against its model's constraints.
#pragma once

#include <string>
#include <string_view>

#include "api/table.h"

namespace api {

// The words that a service's messages use for places in a request.
struct PathWords {
  std::string (*member)(const std::string& path, const Member& member);
  std::string_view in_element;  // what follows a list's index or a map's key
};
// EC2's: "Filter.1.Name", the names of the parameters.
extern const PathWords kFormPaths;
// Of the services with AWS's common front end: "filters.1.member.name".
extern const PathWords kCommonPaths;

// Checks everything in a request: required members, members that no handler reads, enums, ranges,
// and lengths (in characters). Throws Refusal for the first error.
void validate(const Shape& structure, const void* object, const PathWords& words);

}  // namespace api
