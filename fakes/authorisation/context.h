// The condition keys of a request (IAM User Guide, "AWS global condition context keys"; Service
// Authorization Reference for those of services).
#pragma once

#include <optional>
#include <string_view>

#include "api/http.h"
#include "fakes/authorisation/permissions.h"
#include "sim/iam/caller.h"
#include "sim/iam/condition.h"

namespace fakes::authorisation {

// A permission that a caller asks for.
struct Subject {
  const Asked& asked;
  const sim::iam::Caller& caller;
  const api::HttpRequest* http;  // null for a request that is a struct
  const Permission& permission;
};

// The values of a condition key; `key` is in lower case.
std::optional<sim::iam::Values> find_key(const Subject& subject, std::string_view key);
// find_key() as a function of the key. The subject must outlive it.
sim::iam::ContextKeys keys_of(const Subject& subject);

}  // namespace fakes::authorisation
