// A model's constraints on a request.
#pragma once

#include <string>
#include <string_view>

#include "api/table.h"

namespace api {

// How a service's messages name what is in a request.
struct PathWords {
  std::string (*member)(const std::string& path, const Member& member);
  std::string_view in_element;  // what follows a list's index or a map's key
};
// EC2's: "Filter.1.Name", the names of the parameters.
extern const PathWords kFormPaths;
// Of the services with AWS's common front end: "filters.1.member.name".
extern const PathWords kCommonPaths;

// Checks all below a request: that required members are there and that members which no handler
// reads are not, enums, ranges, lengths (in characters). Throws Refusal for the first that is
// wrong.
void validate(const Shape& structure, const void* object, const PathWords& words);

}  // namespace api
