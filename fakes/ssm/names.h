// Parameter Store's rules for names, labels and tags (Systems Manager User Guide, "Requirements and
// constraints for parameter names" and "Working with parameter labels").
#pragma once

#include <cstddef>
#include <string>

namespace fakes::ssm {

// Checks the characters of a name in any request. Throws ApiError ValidationException.
void check_characters(const std::string& name);
// Checks the name of a parameter that a client makes. Throws ApiError ValidationException,
// AccessDeniedException for AWS's own names, HierarchyLevelLimitExceededException.
void check_new_name(const std::string& name);
// Checks a path and removes a slash at its end, so that "/" becomes empty. Throws ApiError
// ValidationException.
std::string checked_path(const std::string& path);
// True if the text begins with "aws" or "ssm" in any case.
bool has_reserved_prefix(const std::string& text);
bool is_label(const std::string& text);
// Throws ApiError TooManyTagsError.
void check_number_of_tags(std::size_t tags);

// The name with a slash in front, as in ARNs.
std::string rooted(const std::string& name);
// True if the path has the parameter as its child, or at any depth. `path` is a checked_path().
bool is_below(const std::string& name, const std::string& path, bool at_any_depth);

}  // namespace fakes::ssm
