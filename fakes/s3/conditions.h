// Conditional requests: If-Match, If-None-Match and the like (RFC 9110, 13; S3 User Guide,
// "Conditional requests").
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "api/types.h"
#include "sim/objects/store.h"

namespace fakes::s3 {

struct Conditions {
  std::optional<std::string> match, none_match;
  std::optional<api::Timestamp> modified_since, unmodified_since;
  std::string_view prefix = "";  // of the headers' names
};
// Checks the conditions of a read or of a copy's source. Throws ApiError PreconditionFailed (412).
// For reads it throws NotModified (304) where HTTP requires that.
void check(const Conditions& conditions, const sim::objects::Object& object, bool is_read);

// Checks the conditions of a request that writes or deletes an object, against the present object
// (S3 User Guide, "How to prevent object overwrites with conditional writes" and "How to perform
// conditional deletes"). Throws ApiError:
// - NoSuchKey if If-Match is given and there is no object
// - PreconditionFailed if a condition does not hold
// - NotImplemented for an If-None-Match other than "*"
void check_write(const sim::objects::Store& store, const std::string& bucket,
                 const std::string& key, const std::optional<std::string>& match,
                 const std::optional<std::string>& none_match = {});

// The conditions of a read, and those on the source of a copy.
template <class Request>
Conditions conditions_of(const Request& r) {
  return {r.if_match, r.if_none_match, r.if_modified_since, r.if_unmodified_since};
}
template <class Request>
Conditions source_conditions_of(const Request& r) {
  return {r.copy_source_if_match, r.copy_source_if_none_match, r.copy_source_if_modified_since,
          r.copy_source_if_unmodified_since, "x-amz-copy-source-"};
}

}  // namespace fakes::s3
