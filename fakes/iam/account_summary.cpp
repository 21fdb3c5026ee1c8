// The numbers of an account's entities, and its quotas.
#include <algorithm>

#include "fakes/iam/actions.h"
#include "sim/iam/quotas.h"

namespace fakes::iam {
namespace {

namespace quotas = sim::iam::quotas;

// Quotas of entities that the account cannot have here: server certificates, devices for MFA …
constexpr std::size_t kServerCertificates = 20, kSigningCertificates = 2;
constexpr std::size_t kVersionsInUse = 10'000;

std::size_t own_policies(const sim::iam::Account& account) {
  return static_cast<std::size_t>(std::ranges::count_if(
      account.policies(), [](const auto* policy) { return !policy->is_aws_managed; }));
}

std::size_t policies_in_use(const sim::iam::Account& account) {
  return policy_uses(account).size();
}

op::GetAccountSummary::Response get_summary(Call& call, const op::GetAccountSummary::Request&) {
  const sim::iam::Account& account = *call.backend.iam;
  const std::pair<const char*, std::size_t> rows[] = {
      {"Users", account.users().size()},
      {"UsersQuota", quotas::kUsers},
      {"Groups", account.groups().size()},
      {"GroupsQuota", quotas::kGroups},
      {"GroupsPerUserQuota", quotas::kGroupsPerUser},
      {"Roles", account.roles().size()},
      {"RolesQuota", quotas::kRoles},
      {"InstanceProfiles", account.instance_profiles().size()},
      {"InstanceProfilesQuota", quotas::kInstanceProfiles},
      {"Policies", own_policies(account)},
      {"PoliciesQuota", quotas::kPolicies},
      {"PolicySizeQuota", quotas::kPolicySize},
      {"PolicyVersionsInUse", policies_in_use(account)},
      {"PolicyVersionsInUseQuota", kVersionsInUse},
      {"VersionsPerPolicyQuota", quotas::kVersionsPerPolicy},
      {"UserPolicySizeQuota", quotas::kUserPolicySize},
      {"GroupPolicySizeQuota", quotas::kGroupPolicySize},
      {"RolePolicySizeQuota", quotas::kRolePolicySize},
      {"AssumeRolePolicySizeQuota", quotas::kTrustPolicySize},
      {"AttachedPoliciesPerUserQuota", quotas::kAttachedPolicies},
      {"AttachedPoliciesPerGroupQuota", quotas::kAttachedPolicies},
      {"AttachedPoliciesPerRoleQuota", quotas::kAttachedPolicies},
      {"AccessKeysPerUserQuota", quotas::kAccessKeysPerUser},
      {"SigningCertificatesPerUserQuota", kSigningCertificates},
      {"ServerCertificates", 0},
      {"ServerCertificatesQuota", kServerCertificates},
      {"MFADevices", 0},
      {"MFADevicesInUse", 0},
      {"AccountMFAEnabled", 0},
      {"AccountAccessKeysPresent", 0},
      {"AccountSigningCertificatesPresent", 0},
      {"Providers", account.open_id_providers().size()},
      {"GlobalEndpointTokenVersion", 1}};
  op::GetAccountSummary::Response response;
  for (const auto& [key, value] : rows)
    response.summary_map[key] = static_cast<std::int64_t>(value);
  return response;
}

}  // namespace

std::vector<ActionRow> account_summary_actions() {
  return {action<op::GetAccountSummary, get_summary>()};
}

}  // namespace fakes::iam
