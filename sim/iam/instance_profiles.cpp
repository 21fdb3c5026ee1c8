// Instance profiles, which give a role to EC2 instances.
#include <fmt/format.h>

#include "sim/iam/account.h"
#include "sim/iam/quotas.h"

namespace sim::iam {

const InstanceProfile& Account::instance_profile(const std::string& name) const {
  const auto found = profiles_.find(name);
  if (found == profiles_.end())
    throw no_such_entity(fmt::format("Instance Profile {} cannot be found.", name));
  return found->second;
}

InstanceProfile& Account::find_profile(const std::string& name) {
  return const_cast<InstanceProfile&>(instance_profile(name));
}

const InstanceProfile* Account::find_instance_profile(const std::string& name_or_arn) const {
  const auto found = profiles_.find(name_or_arn.substr(name_or_arn.rfind('/') + 1));
  if (found == profiles_.end()) return nullptr;
  const bool by_arn = name_or_arn.starts_with("arn:");
  return !by_arn || found->second.arn == name_or_arn ? &found->second : nullptr;
}

std::vector<const InstanceProfile*> Account::instance_profiles_with(
    const std::string& role_name) const {
  const std::string& name = role(role_name).name;
  std::vector<const InstanceProfile*> found;
  for (const auto& [key, profile] : profiles_)
    if (profile.role == name) found.push_back(&profile);
  return found;
}

const InstanceProfile& Account::create_instance_profile(InstanceProfile profile) {
  check_name(profile.name, "instanceProfileName");
  if (profiles_.contains(profile.name))
    throw already_exists(fmt::format("Instance Profile {} already exists.", profile.name));
  if (profiles_.size() >= quotas::kInstanceProfiles)
    throw limit_exceeded("InstanceProfilesPerAccount", quotas::kInstanceProfiles);
  identify(profile, "instance-profile");
  knows_all_profiles_ = true;
  const std::string name = profile.name;
  return profiles_.emplace(name, std::move(profile)).first->second;
}

void Account::add_role(const std::string& profile, const std::string& role_name) {
  InstanceProfile& found = find_profile(profile);
  const Role& added = role(role_name);
  if (!found.role.empty()) throw limit_exceeded("InstanceSessionsPerInstanceProfile", 1);
  found.role = added.name;
  knows_all_profiles_ = true;
}

void Account::remove_role(const std::string& profile, const std::string& role_name) {
  InstanceProfile& found = find_profile(profile);
  const Role& removed = role(role_name);
  if (found.role != removed.name)
    throw no_such_entity(
        fmt::format("Role {} in Instance Profile {} cannot be found.", removed.name, found.name));
  found.role.clear();
  knows_all_profiles_ = true;
}

void Account::delete_instance_profile(const std::string& name) {
  const InstanceProfile& found = instance_profile(name);
  if (!found.role.empty())
    throw delete_conflict("Cannot delete entity, must remove roles from instance profile first.");
  profiles_.erase(profiles_.find(name));
  knows_all_profiles_ = true;
}

void Account::tag_instance_profile(const std::string& name, const Tags& tags) {
  merge_tags(find_profile(name), tags);
}

void Account::untag_instance_profile(const std::string& name,
                                     const std::vector<std::string>& keys) {
  erase_tags(find_profile(name), keys);
}

}  // namespace sim::iam
