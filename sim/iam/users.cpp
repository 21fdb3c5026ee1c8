// Users and groups.
#include <fmt/format.h>

#include "sim/iam/account.h"
#include "sim/iam/quotas.h"

namespace sim::iam {
namespace {

void must_have_no_policies(const Identity& found) {
  if (!found.attached_policies.empty())
    throw delete_conflict("Cannot delete entity, must detach all policies first.");
  if (!found.inline_policies.empty())
    throw delete_conflict("Cannot delete entity, must delete policies first.");
}

// Gives an entity another name and path, which are also in its ARN. Empty texts change nothing.
template <class T>
std::string rename(ByName<T>& all, const std::string& name, const std::string& new_name,
                   const std::string& new_path) {
  auto node = all.extract(all.find(name));
  T& found = node.mapped();
  const std::string old = found.path + found.name;
  if (!new_name.empty()) found.name = new_name;
  if (!new_path.empty()) found.path = new_path;
  found.arn.replace(found.arn.size() - old.size(), old.size(), found.path + found.name);
  node.key() = found.name;
  return all.insert(std::move(node)).position->second.name;
}

// The new name may differ from the old one in case only.
template <class T>
void check_new_name(const ByName<T>& all, const T& found, const std::string& new_name,
                    const std::string& new_path, std::string_view kind) {
  if (!new_path.empty()) check_path(new_path);
  if (new_name.empty()) return;
  check_name(new_name, kind == "User" ? "newUserName" : "newGroupName");
  const auto other = all.find(new_name);
  if (other != all.end() && &other->second != &found)
    throw already_exists(fmt::format("{} with name {} already exists.", kind, new_name));
}

}  // namespace

const User& Account::user(const std::string& name) const {
  const auto found = users_.find(name);
  if (found == users_.end())
    throw no_such_entity(fmt::format("The user with name {} cannot be found.", name));
  return found->second;
}

User& Account::find_user(const std::string& name) {
  compiled_.clear();
  return const_cast<User&>(user(name));
}

const User& Account::create_user(User user) {
  check_name(user.name, "userName");
  if (!user.permissions_boundary.empty()) policy(user.permissions_boundary);
  if (users_.contains(user.name))
    throw already_exists(fmt::format("User with name {} already exists.", user.name));
  if (users_.size() >= quotas::kUsers) throw limit_exceeded("UsersPerAccount", quotas::kUsers);
  identify(user, "user");
  const std::string name = user.name;
  return users_.emplace(name, std::move(user)).first->second;
}

void Account::rename_user(const std::string& name, const std::string& new_name,
                          const std::string& new_path) {
  const User& found = find_user(name);
  check_new_name(users_, found, new_name, new_path, "User");
  const std::string old = found.name;
  const std::string now = rename(users_, old, new_name, new_path);
  for (auto& [id, key] : keys_)
    if (key.user == old) key.user = now;
}

void Account::delete_user(const std::string& name) {
  const User& found = find_user(name);
  if (found.login) throw delete_conflict("Cannot delete entity, must delete login profile first.");
  if (!access_keys(name).empty())
    throw delete_conflict("Cannot delete entity, must delete access keys first.");
  if (!found.groups.empty())
    throw delete_conflict("Cannot delete entity, must remove users from group first.");
  must_have_no_policies(found);
  users_.erase(users_.find(name));
}

void Account::tag_user(const std::string& name, const Tags& tags) {
  merge_tags(find_user(name), tags);
}

void Account::untag_user(const std::string& name, const std::vector<std::string>& keys) {
  erase_tags(find_user(name), keys);
}

void Account::set_login(const std::string& name, std::optional<Login> login) {
  User& found = find_user(name);
  if (login && login->created == Time{}) {
    login->created = found.login ? found.login->created : simulation_.now();
    login->password_changed = simulation_.now();
  } else if (!login && !found.login) {
    throw no_such_entity(fmt::format("Login Profile for User {} cannot be found.", found.name));
  }
  found.login = login;
}

// ---- groups

const Group& Account::group(const std::string& name) const {
  const auto found = groups_.find(name);
  if (found == groups_.end())
    throw no_such_entity(fmt::format("The group with name {} cannot be found.", name));
  return found->second;
}

Group& Account::find_group(const std::string& name) {
  compiled_.clear();
  return const_cast<Group&>(group(name));
}

const Group& Account::create_group(Group group) {
  check_name(group.name, "groupName");
  if (groups_.contains(group.name))
    throw already_exists(fmt::format("Group with name {} already exists.", group.name));
  if (groups_.size() >= quotas::kGroups) throw limit_exceeded("GroupsPerAccount", quotas::kGroups);
  identify(group, "group");
  const std::string name = group.name;
  return groups_.emplace(name, std::move(group)).first->second;
}

void Account::rename_group(const std::string& name, const std::string& new_name,
                           const std::string& new_path) {
  const Group& found = find_group(name);
  check_new_name(groups_, found, new_name, new_path, "Group");
  const std::string old = found.name;
  const std::string now = rename(groups_, old, new_name, new_path);
  for (auto& [key, user] : users_)
    if (user.groups.erase(old) > 0) user.groups.insert(now);
}

void Account::delete_group(const std::string& name) {
  const Group& found = find_group(name);
  if (!users_in(name).empty())
    throw delete_conflict("Cannot delete entity, must remove users from group first.");
  must_have_no_policies(found);
  groups_.erase(groups_.find(name));
}

void Account::add_to_group(const std::string& group_name, const std::string& user_name) {
  const Group& found = group(group_name);
  User& member = find_user(user_name);
  if (member.groups.size() >= quotas::kGroupsPerUser && !member.groups.contains(found.name))
    throw limit_exceeded("GroupsPerUser", quotas::kGroupsPerUser);
  member.groups.insert(found.name);
}

void Account::remove_from_group(const std::string& group_name, const std::string& user_name) {
  find_user(user_name).groups.erase(group(group_name).name);
}

std::vector<const User*> Account::users_in(const std::string& group_name) const {
  const std::string& name = group(group_name).name;
  std::vector<const User*> found;
  for (const auto& [key, user] : users_)
    if (user.groups.contains(name)) found.push_back(&user);
  return found;
}

}  // namespace sim::iam
