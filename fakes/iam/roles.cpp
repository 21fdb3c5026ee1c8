// Roles and their tags.
#include "fakes/iam/actions.h"

namespace fakes::iam {
namespace {

op::CreateRole::Response create_role(Call& call, const op::CreateRole::Request& request) {
  sim::iam::Role role;
  role.name = request.role_name.value();
  role.path = request.path.value_or("/");
  role.trust_policy = request.assume_role_policy_document.value();
  role.description = request.description.value_or("");
  role.max_session_seconds = static_cast<int>(request.max_session_duration.value_or(3600));
  role.permissions_boundary = request.permissions_boundary.value_or("");
  role.tags = read_tags(request.tags);
  return {.role = shown(call.backend.iam->create_role(std::move(role)), Detail::kWhole)};
}

op::CreateServiceLinkedRole::Response create_service_linked_role(
    Call& call, const op::CreateServiceLinkedRole::Request& request) {
  const auto& role = call.backend.iam->create_service_linked_role(
      request.aws_service_name.value(), request.custom_suffix.value_or(""),
      request.description.value_or(""));
  return {.role = shown(role, Detail::kWhole)};
}

op::GetRole::Response get_role(Call& call, const op::GetRole::Request& request) {
  return {.role = shown(call.backend.iam->role(request.role_name.value()), Detail::kWhole)};
}

op::ListRoles::Response list_roles(Call& call, const op::ListRoles::Request& request) {
  const std::string prefix = path_prefix(request);
  std::vector<const sim::iam::Role*> roles;
  for (const auto& [name, role] : call.backend.iam->roles())
    if (role.path.starts_with(prefix)) roles.push_back(&role);
  op::ListRoles::Response response;
  response.roles.give();
  page(
      response, request, roles, [](const auto* role) { return base::lower_case(role->name); },
      [&](const auto* role) { response.roles.push_back(shown(*role, Detail::kListed)); });
  return response;
}

op::UpdateRole::Response update_role(Call& call, const op::UpdateRole::Request& request) {
  std::optional<int> most;
  if (request.max_session_duration) most = static_cast<int>(*request.max_session_duration);
  call.backend.iam->update_role(request.role_name.value(), request.description, most);
  return {};
}

op::UpdateRoleDescription::Response update_role_description(
    Call& call, const op::UpdateRoleDescription::Request& request) {
  const std::string& name = request.role_name.value();
  call.backend.iam->update_role(name, request.description, {});
  return {.role = shown(call.backend.iam->role(name), Detail::kWhole)};
}

op::UpdateAssumeRolePolicy::Response update_assume_role_policy(
    Call& call, const op::UpdateAssumeRolePolicy::Request& request) {
  call.backend.iam->set_trust_policy(request.role_name.value(), request.policy_document.value());
  return {};
}

op::DeleteRole::Response delete_role(Call& call, const op::DeleteRole::Request& request) {
  call.backend.iam->delete_role(request.role_name.value());
  return {};
}

op::DeleteServiceLinkedRole::Response delete_service_linked_role(
    Call& call, const op::DeleteServiceLinkedRole::Request& request) {
  return {.deletion_task_id =
              call.backend.iam->delete_service_linked_role(request.role_name.value())};
}

op::GetServiceLinkedRoleDeletionStatus::Response deletion_status(
    Call& call, const op::GetServiceLinkedRoleDeletionStatus::Request& request) {
  call.backend.iam->check_deletion(request.deletion_task_id.value());
  op::GetServiceLinkedRoleDeletionStatus::Response response;
  response.status = "SUCCEEDED";
  return response;
}

op::TagRole::Response tag_role(Call& call, const op::TagRole::Request& request) {
  call.backend.iam->tag_role(request.role_name.value(), read_tags(request.tags));
  return {};
}

op::UntagRole::Response untag_role(Call& call, const op::UntagRole::Request& request) {
  call.backend.iam->untag_role(request.role_name.value(), request.tag_keys);
  return {};
}

op::ListRoleTags::Response list_role_tags(Call& call, const op::ListRoleTags::Request& request) {
  op::ListRoleTags::Response response;
  response.tags.give();
  page(
      response, request, shown_tags(call.backend.iam->role(request.role_name.value()).tags),
      [](const auto& tag) { return base::lower_case(*tag.key); },
      [&](const auto& tag) { response.tags.push_back(tag); });
  return response;
}

}  // namespace

std::vector<ActionRow> role_actions() {
  return {action<op::CreateRole, create_role>(),
          action<op::CreateServiceLinkedRole, create_service_linked_role>(),
          action<op::GetRole, get_role>(),
          action<op::ListRoles, list_roles>(),
          action<op::UpdateRole, update_role>(),
          action<op::UpdateRoleDescription, update_role_description>(),
          action<op::UpdateAssumeRolePolicy, update_assume_role_policy>(),
          action<op::DeleteRole, delete_role>(),
          action<op::DeleteServiceLinkedRole, delete_service_linked_role>(),
          action<op::GetServiceLinkedRoleDeletionStatus, deletion_status>(),
          action<op::TagRole, tag_role>(),
          action<op::UntagRole, untag_role>(),
          action<op::ListRoleTags, list_role_tags>()};
}

}  // namespace fakes::iam
