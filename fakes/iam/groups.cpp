// Groups of users, and the account's alias.
#include "fakes/iam/actions.h"

namespace fakes::iam {
namespace {

op::CreateGroup::Response create_group(Call& call, const op::CreateGroup::Request& request) {
  sim::iam::Group group;
  group.name = request.group_name.value();
  group.path = request.path.value_or("/");
  return {.group = shown(call.backend.iam->create_group(std::move(group)))};
}

op::GetGroup::Response get_group(Call& call, const op::GetGroup::Request& request) {
  const auto& group = call.backend.iam->group(request.group_name.value());
  op::GetGroup::Response response;
  response.group = shown(group);
  response.users.give();
  page(
      response, request, call.backend.iam->users_in(group.name),
      [](const auto* user) { return base::lower_case(user->name); },
      [&](const auto* user) { response.users.push_back(shown(*user, Detail::kListed)); });
  return response;
}

op::ListGroups::Response list_groups(Call& call, const op::ListGroups::Request& request) {
  const std::string prefix = path_prefix(request);
  std::vector<const sim::iam::Group*> groups;
  for (const auto& [name, group] : call.backend.iam->groups())
    if (group.path.starts_with(prefix)) groups.push_back(&group);
  op::ListGroups::Response response;
  response.groups.give();
  page(
      response, request, groups, [](const auto* group) { return base::lower_case(group->name); },
      [&](const auto* group) { response.groups.push_back(shown(*group)); });
  return response;
}

op::ListGroupsForUser::Response list_groups_for_user(
    Call& call, const op::ListGroupsForUser::Request& request) {
  const sim::iam::Account& account = *call.backend.iam;
  op::ListGroupsForUser::Response response;
  response.groups.give();
  page(
      response, request, account.user(request.user_name.value()).groups,
      [](const std::string& name) { return name; },
      [&](const std::string& name) { response.groups.push_back(shown(account.group(name))); });
  return response;
}

op::UpdateGroup::Response update_group(Call& call, const op::UpdateGroup::Request& request) {
  call.backend.iam->rename_group(request.group_name.value(), request.new_group_name.value_or(""),
                                 request.new_path.value_or(""));
  return {};
}

op::DeleteGroup::Response delete_group(Call& call, const op::DeleteGroup::Request& request) {
  call.backend.iam->delete_group(request.group_name.value());
  return {};
}

op::AddUserToGroup::Response add_user(Call& call, const op::AddUserToGroup::Request& request) {
  call.backend.iam->add_to_group(request.group_name.value(), request.user_name.value());
  return {};
}

op::RemoveUserFromGroup::Response remove_user(Call& call,
                                              const op::RemoveUserFromGroup::Request& request) {
  call.backend.iam->remove_from_group(request.group_name.value(), request.user_name.value());
  return {};
}

// ---- the account's alias: at most one

op::CreateAccountAlias::Response create_alias(Call& call,
                                              const op::CreateAccountAlias::Request& request) {
  call.backend.iam->alias() = request.account_alias.value();
  return {};
}

op::ListAccountAliases::Response list_aliases(Call& call, const op::ListAccountAliases::Request&) {
  op::ListAccountAliases::Response response;
  response.account_aliases.give();
  response.is_truncated = false;
  if (const std::string& alias = call.backend.iam->alias(); !alias.empty())
    response.account_aliases.push_back(alias);
  return response;
}

op::DeleteAccountAlias::Response delete_alias(Call& call,
                                              const op::DeleteAccountAlias::Request& request) {
  std::string& alias = call.backend.iam->alias();
  if (alias != request.account_alias.value())
    throw sim::iam::no_such_entity("The account alias " + *request.account_alias +
                                   " cannot be found.");
  alias.clear();
  return {};
}

}  // namespace

std::vector<ActionRow> group_actions() {
  return {action<op::CreateGroup, create_group>(),
          action<op::GetGroup, get_group>(),
          action<op::ListGroups, list_groups>(),
          action<op::ListGroupsForUser, list_groups_for_user>(),
          action<op::UpdateGroup, update_group>(),
          action<op::DeleteGroup, delete_group>(),
          action<op::AddUserToGroup, add_user>(),
          action<op::RemoveUserFromGroup, remove_user>(),
          action<op::CreateAccountAlias, create_alias>(),
          action<op::ListAccountAliases, list_aliases>(),
          action<op::DeleteAccountAlias, delete_alias>()};
}

}  // namespace fakes::iam
