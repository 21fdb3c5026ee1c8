// Checks names, paths and tags of IAM. All functions throw ApiError.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/cloud/error.h"
#include "sim/iam/entities.h"

namespace sim::iam {

using cloud::ApiError;

// Throws ValidationError unless the name has only letters, digits and +=,.@_-. `member` is the
// request's member, such as "roleName".
void check_name(std::string_view name, std::string_view member);
// Throws ValidationError for a session's name or source identity with other characters than
// letters, digits and _+=,.@- (STS API reference, AssumeRole).
void check_session_name(std::string_view name, std::string_view member);
// Throws ValidationError unless the path is "/", or begins and ends with a slash.
void check_path(std::string_view path);
// Throws ValidationError for an invalid key or value, and LimitExceeded for more than 50 tags.
void check_tags(const Tags& tags);
// Also checks the result; a tag whose key differs only in case is replaced.
void merge_tags(Entity& entity, const Tags& more);
// Throws ValidationError for an invalid key.
void erase_tags(Entity& entity, const std::vector<std::string>& keys);

// The ValidationError of a request's member that does not match the pattern of its type.
ApiError invalid_value(std::string_view value, std::string_view member, std::string_view pattern);
ApiError no_such_entity(const std::string& message);
ApiError already_exists(const std::string& message);
ApiError delete_conflict(const std::string& message);
ApiError limit_exceeded(const std::string& quota, std::size_t most);

}  // namespace sim::iam
