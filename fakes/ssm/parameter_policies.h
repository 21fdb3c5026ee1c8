// Policies of parameters in the advanced tier (Systems Manager User Guide, "Assigning parameter
// policies in Parameter Store").
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/kernel/time.h"

namespace fakes::ssm {

struct ParameterPolicy {
  std::string type;  // "Expiration", "ExpirationNotification" or "NoChangeNotification"
  std::string text;  // its JSON
  std::optional<sim::Time> expires = {};  // of Expiration
  // The time before the expiration, or after the last change, at which a notification is sent.
  sim::Duration offset{};
  bool finished = false;
};
using ParameterPolicies = std::vector<ParameterPolicy>;

// Reads the JSON array of a request, which may be empty. Throws ApiError: ValidationException,
// InvalidPolicyTypeException, InvalidPolicyAttributeException, IncompatiblePolicyException,
// PoliciesLimitExceededException.
ParameterPolicies read_policies(const std::string& text);

// The time at which one of the policies acts on a version that was written at `modified`, or the
// nearest time that the clock has. Empty for a notification of an expiration, if no policy has an
// expiration.
std::optional<sim::Time> due_time(const ParameterPolicies& all, const ParameterPolicy& policy,
                                  sim::Time modified);

}  // namespace fakes::ssm
