// The permissions of a role: its inline policies and the attached managed policies.
#include "fakes/iam/actions.h"

namespace fakes::iam {
namespace {

op::PutRolePolicy::Response put_role_policy(Call& call, const op::PutRolePolicy::Request& request) {
  call.backend.iam->put_role_policy(request.role_name.value(), request.policy_name.value(),
                                    request.policy_document.value());
  return {};
}

op::GetRolePolicy::Response get_role_policy(Call& call, const op::GetRolePolicy::Request& request) {
  const auto& role = call.backend.iam->role(request.role_name.value());
  const std::string& name = request.policy_name.value();
  return {.policy_document = shown_document(call.backend.iam->role_policy(role.name, name)),
          .policy_name = name,
          .role_name = role.name};
}

op::ListRolePolicies::Response list_role_policies(Call& call,
                                                  const op::ListRolePolicies::Request& request) {
  op::ListRolePolicies::Response response;
  response.policy_names.give();
  page(
      response, request, call.backend.iam->role(request.role_name.value()).inline_policies,
      [](const auto& policy) { return policy.first; },
      [&](const auto& policy) { response.policy_names.push_back(policy.first); });
  return response;
}

op::DeleteRolePolicy::Response delete_role_policy(Call& call,
                                                  const op::DeleteRolePolicy::Request& request) {
  call.backend.iam->delete_role_policy(request.role_name.value(), request.policy_name.value());
  return {};
}

op::AttachRolePolicy::Response attach_role_policy(Call& call,
                                                  const op::AttachRolePolicy::Request& request) {
  call.backend.iam->attach_role_policy(request.role_name.value(), request.policy_arn.value());
  return {};
}

op::DetachRolePolicy::Response detach_role_policy(Call& call,
                                                  const op::DetachRolePolicy::Request& request) {
  call.backend.iam->detach_role_policy(request.role_name.value(), request.policy_arn.value());
  return {};
}

op::ListAttachedRolePolicies::Response list_attached_role_policies(
    Call& call, const op::ListAttachedRolePolicies::Request& request) {
  const sim::iam::Account& account = *call.backend.iam;
  const std::string prefix = request.path_prefix.value_or("/");
  std::vector<const sim::iam::Policy*> policies;
  for (const std::string& arn : account.role(request.role_name.value()).attached_policies)
    if (const auto& policy = account.policy(arn); policy.path.starts_with(prefix))
      policies.push_back(&policy);
  op::ListAttachedRolePolicies::Response response;
  response.attached_policies.give();
  page(
      response, request, policies, [](const auto* policy) { return policy->arn; },
      [&](const auto* policy) {
        response.attached_policies.push_back(
            {.policy_arn = policy->arn, .policy_name = policy->name});
      });
  return response;
}

}  // namespace

std::vector<ActionRow> role_policy_actions() {
  return {action<op::PutRolePolicy, put_role_policy>(),
          action<op::GetRolePolicy, get_role_policy>(),
          action<op::ListRolePolicies, list_role_policies>(),
          action<op::DeleteRolePolicy, delete_role_policy>(),
          action<op::AttachRolePolicy, attach_role_policy>(),
          action<op::DetachRolePolicy, detach_role_policy>(),
          action<op::ListAttachedRolePolicies, list_attached_role_policies>()};
}

}  // namespace fakes::iam
