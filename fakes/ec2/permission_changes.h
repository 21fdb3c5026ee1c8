// Changes of the lists of accounts that may use an image or a snapshot: ModifyImageAttribute and
// ModifySnapshotAttribute.
#pragma once

#include <string>

#include "api/types.h"
#include "fakes/ec2/requests.h"
#include "sim/cloud/resources.h"

namespace fakes::ec2 {

inline constexpr std::string_view kEveryone = "all";

enum class PermissionChange { kAdd, kRemove };

// The errors of an action for a group other than "all" and for an account's malformed ID.
struct PermissionErrors {
  sim::cloud::ApiError (*group)(const std::string&);
  sim::cloud::ApiError (*account)(const std::string&);
};

inline void change_group(sim::cloud::Permissions& all, const std::string& group,
                         PermissionChange change, const PermissionErrors& errors) {
  if (group != kEveryone) throw errors.group(group);
  all.everyone = change == PermissionChange::kAdd;
}

inline void change_account(sim::cloud::Permissions& all, const std::string& account,
                           PermissionChange change, const PermissionErrors& errors) {
  constexpr std::size_t kDigits = 12;
  if (account.size() != kDigits || account.find_first_not_of("0123456789") != account.npos)
    throw errors.account(account);
  if (change == PermissionChange::kAdd)
    all.accounts.insert(account);
  else
    all.accounts.erase(account);
}

// A list of LaunchPermission or of CreateVolumePermission.
template <class List>
void change_all(sim::cloud::Permissions& all, const List& permissions, PermissionChange change,
                const PermissionErrors& errors) {
  for (const auto& one : permissions) {
    if (one.group) change_group(all, *one.group, change, errors);
    if (one.user_id) change_account(all, *one.user_id, change, errors);
  }
}

// The older form of a request: an operation, and lists of accounts and groups.
template <class Names>
void change_by_operation(sim::cloud::Permissions& all, const api::Opt<std::string>& operation,
                         const Names& accounts, const Names& groups,
                         const PermissionErrors& errors) {
  if (accounts.empty() && groups.empty()) return;
  const PermissionChange change = choice(operation, "OperationType", {"add", "remove"}) == "add"
                                      ? PermissionChange::kAdd
                                      : PermissionChange::kRemove;
  for (const std::string& group : groups) change_group(all, group, change, errors);
  for (const std::string& account : accounts) change_account(all, account, change, errors);
}

// A list of LaunchPermission or of CreateVolumePermission, present even if it is empty.
template <class List>
void show_permissions(List& shown, const sim::cloud::Permissions& all) {
  shown.give();
  if (all.everyone) shown.push_back({.group = std::string(kEveryone)});
  for (const std::string& account : all.accounts) shown.push_back({.user_id = account});
}

}  // namespace fakes::ec2
