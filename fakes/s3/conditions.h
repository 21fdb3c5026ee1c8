// Requests that hold only for what an object was (RFC 9110, 13; S3 User Guide, "Conditional
// requests").
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
// Throws ApiError PreconditionFailed (412), and NotModified (304) where it is a read.
void check(const Conditions& conditions, const sim::objects::Object& object, bool is_read);

// The condition of a request that writes or removes an object, on the object that is there (S3 User
// Guide, "How to prevent object overwrites with conditional writes", "How to perform conditional
// deletes"). Throws ApiError NoSuchKey where If-Match finds none, PreconditionFailed, and
// NotImplemented for an If-None-Match that is not "*".
void check_write(const sim::objects::Store& store, const std::string& bucket,
                 const std::string& key, const std::optional<std::string>& match,
                 const std::optional<std::string>& none_match = {});

// Those of a read, and of what is copied.
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
