// The quotas of an account (IAM User Guide, "IAM and AWS STS quotas"). These are AWS's defaults,
// also where AWS raises a quota on request.
#pragma once

#include <cstddef>

namespace sim::iam::quotas {

inline constexpr std::size_t kUsers = 5000, kGroups = 300, kGroupsPerUser = 10;
inline constexpr std::size_t kRoles = 1000, kInstanceProfiles = 1000, kAccessKeysPerUser = 2;
inline constexpr std::size_t kPolicies = 1500, kVersionsPerPolicy = 5, kAttachedPolicies = 10;
inline constexpr std::size_t kOpenIdProviders = 100, kClientIdsPerProvider = 100,
                             kThumbprintsPerProvider = 5;
inline constexpr std::size_t kTags = 50;
// Lengths in characters, without white space.
inline constexpr std::size_t kPolicySize = 6144, kTrustPolicySize = 2048;
inline constexpr std::size_t kUserPolicySize = 2048, kGroupPolicySize = 5120,
                             kRolePolicySize = 10'240;

}  // namespace sim::iam::quotas
