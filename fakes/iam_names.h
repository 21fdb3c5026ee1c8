// What IAM would know of an instance's profile and role: names and IDs that follow from the launch
// specification and the seed.
#pragma once

#include <string>

#include "fakes/backend.h"
#include "sim/cloud/resources.h"

namespace fakes {

// All need an instance with an IAM instance profile.
std::string instance_profile_arn(const Backend& backend, const sim::cloud::Instance& instance);
std::string instance_profile_id(const Backend& backend,
                                const sim::cloud::Instance& instance);  // "AIPA…"
// The profile's own name, as consoles and tools name the role after it.
std::string role_name(const sim::cloud::Instance& instance);

// `count` characters of IAM's alphabet, A–Z and 2–7.
std::string iam_characters(sim::Stream stream, int count);

}  // namespace fakes
