// The condition keys of a request (IAM User Guide, "AWS global condition context keys"; Service
// Authorization Reference for those of services).
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "api/http.h"
#include "fakes/authorisation/permissions.h"
#include "sim/iam/caller.h"
#include "sim/iam/condition.h"

namespace fakes::authorisation {

// The circumstances of an operation, from which condition keys are read.
struct RequestContext {
  Backend& backend;
  const api::Parameters& parameters;       // of the operation, as a form names them
  bool is_global = false;                  // the service has one endpoint, in us-east-1
  const api::HttpRequest* http = nullptr;  // null for a request that is a struct
  // Keys that only the acting service knows, with names in lower case: "ec2:fisactionid".
  std::map<std::string, sim::iam::Values, std::less<>> keys = {};
};

// A permission that a caller asks for.
struct Subject {
  const RequestContext& context;
  const sim::iam::Caller& caller;
  const Permission& permission;
};

// some() makes a key with one value. if_any() makes none if the value is empty.
inline std::optional<sim::iam::Values> some(std::string value) {
  return sim::iam::Values{std::move(value)};
}
inline std::optional<sim::iam::Values> if_any(std::string value) {
  return value.empty() ? std::nullopt : some(std::move(value));
}

// The values of a condition key; `key` is in lower case.
std::optional<sim::iam::Values> find_key(const Subject& subject, std::string_view key);
// find_key() as a function of the key. The subject must outlive it.
sim::iam::ContextKeys keys_of(const Subject& subject);

}  // namespace fakes::authorisation
