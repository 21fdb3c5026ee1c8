// The inline and attached policies of users, groups and roles, and permissions boundaries.
#include <fmt/format.h>

#include <algorithm>

#include "sim/iam/account.h"
#include "sim/iam/policy_document.h"
#include "sim/iam/quotas.h"

namespace sim::iam {
namespace {

struct OwnerRow {
  Owner owner;
  std::string_view word, quota;
  std::size_t longest_inline;
};
constexpr OwnerRow kOwners[] = {
    {Owner::kUser, "user", "PoliciesPerUser", quotas::kUserPolicySize},
    {Owner::kGroup, "group", "PoliciesPerGroup", quotas::kGroupPolicySize},
    {Owner::kRole, "role", "PoliciesPerRole", quotas::kRolePolicySize}};

const OwnerRow& row_of(Owner owner) { return *std::ranges::find(kOwners, owner, &OwnerRow::owner); }

}  // namespace

const Identity& Account::identity(Owner owner, const std::string& name) const {
  if (owner == Owner::kUser) return user(name);
  if (owner == Owner::kGroup) return group(name);
  return role(name);
}

Identity& Account::modifiable(Owner owner, const std::string& name) {
  if (owner == Owner::kUser) return find_user(name);
  if (owner == Owner::kGroup) return find_group(name);
  return modifiable_role(name);
}

void Account::put_policy(Owner owner, const std::string& name, const std::string& policy,
                         const std::string& document) {
  const OwnerRow& row = row_of(owner);
  Identity& found = modifiable(owner, name);
  check_name(policy, "policyName");
  check_identity_policy(document);
  std::size_t length = counted_length(document);
  for (const auto& [other_name, other] : found.inline_policies)
    if (other_name != policy) length += counted_length(other);
  if (length > row.longest_inline)
    throw ApiError("LimitExceeded",
                   fmt::format("Maximum policy size of {} bytes exceeded for {} {}",
                               row.longest_inline, row.word, found.name),
                   409);
  found.inline_policies[policy] = document;
}

const std::string& Account::inline_policy(Owner owner, const std::string& name,
                                          const std::string& policy) const {
  const auto& policies = identity(owner, name).inline_policies;
  const auto found = policies.find(policy);
  if (found == policies.end())
    throw no_such_entity(
        fmt::format("The {} policy with name {} cannot be found.", row_of(owner).word, policy));
  return found->second;
}

void Account::delete_inline_policy(Owner owner, const std::string& name,
                                   const std::string& policy) {
  Identity& found = modifiable(owner, name);
  inline_policy(owner, name, policy);
  found.inline_policies.erase(policy);
}

void Account::attach_policy(Owner owner, const std::string& name, const std::string& policy_arn) {
  Identity& found = modifiable(owner, name);
  const Policy& attached = policy(policy_arn);
  if (attached.path.starts_with("/aws-service-role/"))
    throw ApiError("PolicyNotAttachable",
                   "Cannot attach a Service Role Policy to a Customer Role.");
  if (found.attached_policies.size() >= quotas::kAttachedPolicies &&
      !found.attached_policies.contains(policy_arn))
    throw limit_exceeded(std::string(row_of(owner).quota), quotas::kAttachedPolicies);
  found.attached_policies.insert(attached.arn);
}

void Account::detach_policy(Owner owner, const std::string& name, const std::string& policy_arn) {
  if (modifiable(owner, name).attached_policies.erase(policy_arn) == 0)
    throw no_such_entity(fmt::format("Policy {} was not found.", policy_arn));
}

void Account::set_permissions_boundary(Owner owner, const std::string& name,
                                       const std::string& policy_arn) {
  Identity& found = modifiable(owner, name);
  if (!policy_arn.empty()) policy(policy_arn);
  found.permissions_boundary = policy_arn;
}

}  // namespace sim::iam
