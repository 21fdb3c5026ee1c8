// Managed policies and their versions.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "sim/iam/account.h"
#include "sim/iam/aws_managed_policies.h"
#include "sim/iam/policy_document.h"
#include "sim/iam/quotas.h"

namespace sim::iam {
namespace {

void check_document(const std::string& document) {
  check_managed_policy(document);
  if (counted_length(document) > quotas::kPolicySize)
    throw limit_exceeded("PolicySize", quotas::kPolicySize);
}

ApiError no_version(const std::string& arn, const std::string& version) {
  return no_such_entity(
      fmt::format("Policy {} version {} does not exist or is not attachable.", arn, version));
}

// "v3" → 3.
int version_number(const Policy& policy, const std::string& version) {
  int number = 0;
  const char* const end = version.data() + version.size();
  if (version.size() < 2 || version[0] != 'v' || version[1] < '1' || version[1] > '9')
    throw invalid_value(version, "versionId", R"(v[1-9][0-9]*(\.[A-Za-z0-9-]*)?)");
  const bool is_number = std::from_chars(version.data() + 1, end, number).ptr == end;
  if (!is_number || !policy.versions.contains(number)) throw no_version(policy.arn, version);
  return number;
}

// True if the policy is the permissions boundary of one of these identities.
template <class T>
bool is_boundary(const ByName<T>& identities, const std::string& policy_arn) {
  return std::ranges::any_of(identities, [&](const auto& entry) {
    return entry.second.permissions_boundary == policy_arn;
  });
}

// True for the ARN of a policy. An ARN of AWS's own policies must be complete, with its path.
bool is_policy_arn(const std::string& arn) {
  return arn.starts_with("arn:") && arn.find(":policy/") != arn.npos;
}

}  // namespace

std::vector<const Policy*> Account::policies() const {
  std::vector<const Policy*> all;
  for (const auto& [name, policy] : policies_) all.push_back(&policy);
  for (const auto& [arn, policy] : aws_managed_policies()) all.push_back(&policy);
  return all;
}

const Policy& Account::policy(const std::string& arn) const {
  if (!is_policy_arn(arn))
    throw ApiError("ValidationError", fmt::format("ARN {} is not valid.", arn));
  const auto by_aws = aws_managed_policies().find(arn);
  if (by_aws != aws_managed_policies().end()) return by_aws->second;
  const auto own = policies_.find(arn.substr(arn.rfind('/') + 1));
  if (own == policies_.end() || own->second.arn != arn)
    throw no_such_entity(fmt::format("Policy {} does not exist or is not attachable.", arn));
  return own->second;
}

Policy& Account::own_policy(const std::string& arn) {
  compiled_.clear();
  const Policy& found = policy(arn);
  if (found.is_aws_managed)
    throw ApiError("AccessDenied", fmt::format("The policy {} is managed by AWS.", arn), 403);
  return policies_.find(found.name)->second;
}

const PolicyVersion& Account::policy_version(const std::string& arn,
                                             const std::string& version) const {
  const Policy& found = policy(arn);
  return found.versions.at(version_number(found, version));
}

std::vector<const Role*> Account::roles_with(const std::string& policy_arn) const {
  std::vector<const Role*> found;
  for (const auto& [name, role] : roles_)
    if (role.attached_policies.contains(policy_arn)) found.push_back(&role);
  return found;
}

std::vector<const User*> Account::users_with(const std::string& policy_arn) const {
  std::vector<const User*> found;
  for (const auto& [name, user] : users_)
    if (user.attached_policies.contains(policy_arn)) found.push_back(&user);
  return found;
}

std::vector<const Group*> Account::groups_with(const std::string& policy_arn) const {
  std::vector<const Group*> found;
  for (const auto& [name, group] : groups_)
    if (group.attached_policies.contains(policy_arn)) found.push_back(&group);
  return found;
}

const Policy& Account::create_policy(Policy policy, const std::string& document) {
  check_name(policy.name, "policyName");
  check_document(document);
  if (policies_.contains(policy.name))
    throw already_exists(fmt::format(
        "A policy called {} already exists. Duplicate names are not allowed.", policy.name));
  if (policies_.size() >= quotas::kPolicies)
    throw limit_exceeded("PoliciesPerAccount", quotas::kPolicies);
  identify(policy, "policy");
  policy.versions[1] = {document, policy.created};
  policy.updated = policy.created;
  const std::string name = policy.name;
  return policies_.emplace(name, std::move(policy)).first->second;
}

int Account::create_policy_version(const std::string& arn, const std::string& document,
                                   bool as_default) {
  Policy& found = own_policy(arn);
  check_document(document);
  if (found.versions.size() >= quotas::kVersionsPerPolicy)
    throw ApiError("LimitExceeded",
                   "A managed policy can have up to 5 versions. Before you create a new version, "
                   "you must delete an existing version.",
                   409);
  const int number = ++found.last_version;
  found.updated = std::chrono::floor<std::chrono::seconds>(simulation_.now());
  found.versions[number] = {document, found.updated};
  if (as_default) found.default_version = number;
  return number;
}

void Account::set_default_policy_version(const std::string& arn, const std::string& version) {
  Policy& found = own_policy(arn);
  found.default_version = version_number(found, version);
  found.updated = std::chrono::floor<std::chrono::seconds>(simulation_.now());
}

void Account::delete_policy_version(const std::string& arn, const std::string& version) {
  Policy& found = own_policy(arn);
  const int number = version_number(found, version);
  if (number == found.default_version)
    throw delete_conflict("Cannot delete the default version of a policy.");
  found.versions.erase(number);
}

void Account::delete_policy(const std::string& arn) {
  const Policy& found = own_policy(arn);
  if (!roles_with(arn).empty() || !users_with(arn).empty() || !groups_with(arn).empty() ||
      is_boundary(roles_, arn) || is_boundary(users_, arn))
    throw delete_conflict("Cannot delete a policy attached to entities.");
  if (found.versions.size() > 1)
    throw delete_conflict(
        "This policy has more than one version. Before you delete a policy, you must delete the "
        "policy's versions. The default version is deleted with the policy.");
  policies_.erase(policies_.find(found.name));
}

void Account::tag_policy(const std::string& arn, const Tags& tags) {
  merge_tags(own_policy(arn), tags);
}

void Account::untag_policy(const std::string& arn, const std::vector<std::string>& keys) {
  erase_tags(own_policy(arn), keys);
}

}  // namespace sim::iam
