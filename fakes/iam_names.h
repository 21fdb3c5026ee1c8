// The instance profile and the role of an instance, as EC2, instance metadata and STS show them.
#pragma once

#include <string>

#include "fakes/backend.h"
#include "sim/cloud/resources.h"

namespace fakes {

// Null if the instance was launched without an instance profile, or if the profile is deleted.
const sim::iam::InstanceProfile* instance_profile_of(const Backend& backend,
                                                     const sim::cloud::Instance& instance);
// Of an instance with a profile. EC2 shows both after the profile was deleted as well.
std::string instance_profile_arn(const Backend& backend, const sim::cloud::Instance& instance);
std::string instance_profile_id(const Backend& backend,
                                const sim::cloud::Instance& instance);  // "AIPA…"
// The role in the instance's profile; empty: it has none.
std::string role_name(const Backend& backend, const sim::cloud::Instance& instance);

// `count` characters of IAM's alphabet, A–Z and 2–7.
std::string iam_characters(sim::Stream stream, int count);

}  // namespace fakes
