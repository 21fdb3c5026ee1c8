// Roles.
#include <fmt/format.h>

#include "sim/iam/account.h"
#include "sim/iam/policy_document.h"
#include "sim/iam/quotas.h"
#include "sim/iam/service_roles.h"

namespace sim::iam {
namespace {

void check_trust(const Account& account, const std::string& document) {
  check_trust_policy(document);
  if (counted_length(document) > quotas::kTrustPolicySize)
    throw limit_exceeded("ACLSizePerRole", quotas::kTrustPolicySize);
  if (const std::string principal = account.invalid_principal(document); !principal.empty())
    throw ApiError("MalformedPolicyDocument",
                   fmt::format("Invalid principal in policy: \"AWS\":\"{}\"", principal));
}

}  // namespace

const Role* Account::find_role_by_arn(std::string_view arn) const {
  for (const auto& [name, role] : roles_)
    if (role.arn == arn) return &role;
  return nullptr;
}

const Role& Account::role(const std::string& name) const {
  const auto found = roles_.find(name);
  if (found == roles_.end())
    throw no_such_entity(fmt::format("The role with name {} cannot be found.", name));
  return found->second;
}

Role& Account::find_role(const std::string& name) {
  compiled_.clear();
  return const_cast<Role&>(role(name));
}

Role& Account::modifiable_role(const std::string& name) {
  Role& found = find_role(name);
  if (found.is_service_linked())
    throw ApiError("UnmodifiableEntity",
                   fmt::format("Cannot perform the operation on the protected role '{}' - this "
                               "role is only modifiable by AWS",
                               found.name));
  return found;
}

const Role& Account::create_role(Role role) {
  check_name(role.name, "roleName");
  check_trust(*this, role.trust_policy);
  if (!role.permissions_boundary.empty()) policy(role.permissions_boundary);
  if (roles_.contains(role.name))
    throw already_exists(fmt::format("Role with name {} already exists.", role.name));
  if (roles_.size() >= quotas::kRoles) throw limit_exceeded("RolesPerAccount", quotas::kRoles);
  identify(role, "role");
  const std::string name = role.name;
  return roles_.emplace(name, std::move(role)).first->second;
}

const Role& Account::create_service_linked_role(const std::string& service,
                                                const std::string& suffix,
                                                const std::string& description) {
  Role role = service_linked_role(service, suffix);
  if (!description.empty()) role.description = description;
  if (roles_.contains(role.name))
    throw ApiError("InvalidInput",
                   fmt::format("Service role name {} has been taken in this account, please try a "
                               "different suffix.",
                               role.name));
  return create_role(std::move(role));
}

std::string Account::delete_service_linked_role(const std::string& name) {
  const Role& found = find_role(name);
  if (!found.is_service_linked())
    throw no_such_entity(fmt::format("The role with name {} cannot be found.", name));
  // The ID ends with a UUID (IAM API reference, DeleteServiceLinkedRole).
  Stream random = streams_.stream("role-deletion", found.id);
  const std::uint64_t a = random.next(), b = random.next();
  const std::string id =
      fmt::format("task{}{}/{:08x}-{:04x}-4{:03x}-a{:03x}-{:012x}", found.path, found.name, a >> 32,
                  a >> 16 & 0xffff, a & 0xfff, b >> 48 & 0xfff, b & 0xffff'ffff'ffff);
  roles_.erase(roles_.find(name));
  deletions_.insert(id);
  return id;
}

void Account::check_deletion(const std::string& id) const {
  if (!deletions_.contains(id))
    throw no_such_entity(fmt::format("The deletion task {} cannot be found.", id));
}

void Account::update_role(const std::string& name, const std::optional<std::string>& description,
                          std::optional<int> max_session_seconds) {
  // Only the description of a service-linked role may be changed.
  Role& found = max_session_seconds ? modifiable_role(name) : find_role(name);
  if (description) found.description = *description;
  if (max_session_seconds) found.max_session_seconds = *max_session_seconds;
}

void Account::set_trust_policy(const std::string& name, const std::string& document) {
  Role& found = modifiable_role(name);
  check_trust(*this, document);
  found.trust_policy = document;
}

void Account::delete_role(const std::string& name) {
  const Role& found = modifiable_role(name);
  if (!instance_profiles_with(found.name).empty())
    throw delete_conflict("Cannot delete entity, must remove roles from instance profile first.");
  if (!found.attached_policies.empty())
    throw delete_conflict("Cannot delete entity, must detach all policies first.");
  if (!found.inline_policies.empty())
    throw delete_conflict("Cannot delete entity, must delete policies first.");
  roles_.erase(roles_.find(name));
}

void Account::tag_role(const std::string& name, const Tags& tags) {
  merge_tags(modifiable_role(name), tags);
}

void Account::untag_role(const std::string& name, const std::vector<std::string>& keys) {
  erase_tags(modifiable_role(name), keys);
}

}  // namespace sim::iam
