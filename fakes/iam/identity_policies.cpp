// What a user, a group or a role may do: its inline policies, the managed policies that are
// attached to it, and its permissions boundary.
#include "fakes/iam/actions.h"

namespace fakes::iam {
namespace {

using sim::iam::Owner;

// The kind of owner, by the name member that the request has.
template <class Request>
constexpr Owner owner_in() {
  if constexpr (requires(const Request& r) { r.role_name; })
    return Owner::kRole;
  else if constexpr (requires(const Request& r) { r.group_name; })
    return Owner::kGroup;
  else
    return Owner::kUser;
}

template <class Request>
const std::string& name_in(const Request& request) {
  if constexpr (owner_in<Request>() == Owner::kRole)
    return request.role_name.value();
  else if constexpr (owner_in<Request>() == Owner::kGroup)
    return request.group_name.value();
  else
    return request.user_name.value();
}

template <class Op>
typename Op::Response put(Call& call, const typename Op::Request& request) {
  call.backend.iam->put_policy(owner_in<typename Op::Request>(), name_in(request),
                               request.policy_name.value(), request.policy_document.value());
  return {};
}

template <class Op>
typename Op::Response get(Call& call, const typename Op::Request& request) {
  constexpr Owner kOwner = owner_in<typename Op::Request>();
  const auto& found = call.backend.iam->identity(kOwner, name_in(request));
  const std::string& name = request.policy_name.value();
  typename Op::Response response;
  response.policy_document =
      shown_document(call.backend.iam->inline_policy(kOwner, found.name, name));
  response.policy_name = name;
  if constexpr (kOwner == Owner::kRole)
    response.role_name = found.name;
  else if constexpr (kOwner == Owner::kGroup)
    response.group_name = found.name;
  else
    response.user_name = found.name;
  return response;
}

template <class Op>
typename Op::Response list(Call& call, const typename Op::Request& request) {
  typename Op::Response response;
  response.policy_names.give();
  page(
      response, request,
      call.backend.iam->identity(owner_in<typename Op::Request>(), name_in(request))
          .inline_policies,
      [](const auto& policy) { return policy.first; },
      [&](const auto& policy) { response.policy_names.push_back(policy.first); });
  return response;
}

template <class Op>
typename Op::Response remove(Call& call, const typename Op::Request& request) {
  call.backend.iam->delete_inline_policy(owner_in<typename Op::Request>(), name_in(request),
                                         request.policy_name.value());
  return {};
}

template <class Op>
typename Op::Response attach(Call& call, const typename Op::Request& request) {
  call.backend.iam->attach_policy(owner_in<typename Op::Request>(), name_in(request),
                                  request.policy_arn.value());
  return {};
}

template <class Op>
typename Op::Response detach(Call& call, const typename Op::Request& request) {
  call.backend.iam->detach_policy(owner_in<typename Op::Request>(), name_in(request),
                                  request.policy_arn.value());
  return {};
}

template <class Op>
typename Op::Response list_attached(Call& call, const typename Op::Request& request) {
  const sim::iam::Account& account = *call.backend.iam;
  const std::string prefix = path_prefix(request);
  std::vector<const sim::iam::Policy*> policies;
  for (const std::string& arn :
       account.identity(owner_in<typename Op::Request>(), name_in(request)).attached_policies)
    if (const auto& policy = account.policy(arn); policy.path.starts_with(prefix))
      policies.push_back(&policy);
  typename Op::Response response;
  response.attached_policies.give();
  page(
      response, request, policies, [](const auto* policy) { return policy->arn; },
      [&](const auto* policy) {
        response.attached_policies.push_back(
            {.policy_arn = policy->arn, .policy_name = policy->name});
      });
  return response;
}

template <class Op>
typename Op::Response put_boundary(Call& call, const typename Op::Request& request) {
  call.backend.iam->set_permissions_boundary(owner_in<typename Op::Request>(), name_in(request),
                                             request.permissions_boundary.value());
  return {};
}

template <class Op>
typename Op::Response delete_boundary(Call& call, const typename Op::Request& request) {
  call.backend.iam->set_permissions_boundary(owner_in<typename Op::Request>(), name_in(request),
                                             "");
  return {};
}

}  // namespace

std::vector<ActionRow> identity_policy_actions() {
  return {action<op::PutRolePolicy, put<op::PutRolePolicy>>(),
          action<op::PutUserPolicy, put<op::PutUserPolicy>>(),
          action<op::PutGroupPolicy, put<op::PutGroupPolicy>>(),
          action<op::GetRolePolicy, get<op::GetRolePolicy>>(),
          action<op::GetUserPolicy, get<op::GetUserPolicy>>(),
          action<op::GetGroupPolicy, get<op::GetGroupPolicy>>(),
          action<op::ListRolePolicies, list<op::ListRolePolicies>>(),
          action<op::ListUserPolicies, list<op::ListUserPolicies>>(),
          action<op::ListGroupPolicies, list<op::ListGroupPolicies>>(),
          action<op::DeleteRolePolicy, remove<op::DeleteRolePolicy>>(),
          action<op::DeleteUserPolicy, remove<op::DeleteUserPolicy>>(),
          action<op::DeleteGroupPolicy, remove<op::DeleteGroupPolicy>>(),
          action<op::AttachRolePolicy, attach<op::AttachRolePolicy>>(),
          action<op::AttachUserPolicy, attach<op::AttachUserPolicy>>(),
          action<op::AttachGroupPolicy, attach<op::AttachGroupPolicy>>(),
          action<op::DetachRolePolicy, detach<op::DetachRolePolicy>>(),
          action<op::DetachUserPolicy, detach<op::DetachUserPolicy>>(),
          action<op::DetachGroupPolicy, detach<op::DetachGroupPolicy>>(),
          action<op::ListAttachedRolePolicies, list_attached<op::ListAttachedRolePolicies>>(),
          action<op::ListAttachedUserPolicies, list_attached<op::ListAttachedUserPolicies>>(),
          action<op::ListAttachedGroupPolicies, list_attached<op::ListAttachedGroupPolicies>>(),
          action<op::PutRolePermissionsBoundary, put_boundary<op::PutRolePermissionsBoundary>>(),
          action<op::PutUserPermissionsBoundary, put_boundary<op::PutUserPermissionsBoundary>>(),
          action<op::DeleteRolePermissionsBoundary,
                 delete_boundary<op::DeleteRolePermissionsBoundary>>(),
          action<op::DeleteUserPermissionsBoundary,
                 delete_boundary<op::DeleteUserPermissionsBoundary>>()};
}

}  // namespace fakes::iam
