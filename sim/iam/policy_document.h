// The form of policy documents (IAM User Guide, "Grammar of the IAM JSON policy language"), with
// AWS's error messages. All checks throw ApiError MalformedPolicyDocument.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sim::iam {

// Checks an inline policy of a role.
void check_identity_policy(const std::string& document);
// Checks a managed policy, which must also have the version 2012-10-17.
void check_managed_policy(const std::string& document);
// Checks a role's trust policy.
void check_trust_policy(const std::string& document);

// The length that counts for quotas, which excludes white space.
std::size_t counted_length(std::string_view document);

}  // namespace sim::iam
