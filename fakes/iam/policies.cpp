// Managed policies.
#include <functional>
#include <map>

#include "fakes/iam/actions.h"

namespace fakes::iam {
namespace {

op::CreatePolicy::Response create_policy(Call& call, const op::CreatePolicy::Request& request) {
  sim::iam::Policy policy;
  policy.name = request.policy_name.value();
  policy.path = request.path.value_or("/");
  policy.description = request.description.value_or("");
  policy.tags = read_tags(request.tags);
  const auto& made =
      call.backend.iam->create_policy(std::move(policy), request.policy_document.value());
  // Without the description, and without an empty list of tags.
  api::iam::Policy answer = shown({}, made, Detail::kListed);
  if (!made.tags.empty()) answer.tags = shown_tags(made.tags);
  return {.policy = answer};
}

op::GetPolicy::Response get_policy(Call& call, const op::GetPolicy::Request& request) {
  const sim::iam::Account& account = *call.backend.iam;
  const auto& policy = account.policy(request.policy_arn.value());
  return {.policy = shown(policy_uses(account), policy, Detail::kWhole)};
}

// True if a policy is used in the way that the request's filter names: as a boundary, or attached.
bool is_used(PolicyUse use, const op::ListPolicies::Request& request) {
  const std::string filter = request.policy_usage_filter.value_or("");
  if (filter == "PermissionsBoundary") return use.boundaries > 0;
  const bool only_attached = request.only_attached.value_or(false);
  return !only_attached || use.attachments > 0;
}

bool is_listed(const PolicyUses& uses, const sim::iam::Policy& policy, const std::string& prefix,
               const op::ListPolicies::Request& request) {
  const std::string scope = request.scope.value_or("All");
  if (scope == (policy.is_aws_managed ? "Local" : "AWS")) return false;
  return policy.path.starts_with(prefix) && is_used(use_of(uses, policy), request);
}

op::ListPolicies::Response list_policies(Call& call, const op::ListPolicies::Request& request) {
  const sim::iam::Account& account = *call.backend.iam;
  const PolicyUses uses = policy_uses(account);
  const std::string prefix = path_prefix(request);
  std::map<std::string, const sim::iam::Policy*> policies;
  for (const auto* policy : account.policies())
    if (is_listed(uses, *policy, prefix, request)) policies.emplace(policy->arn, policy);
  op::ListPolicies::Response response;
  response.policies.give();
  page(
      response, request, policies, [](const auto& entry) { return entry.first; },
      [&](const auto& entry) {
        response.policies.push_back(shown(uses, *entry.second, Detail::kListed));
      });
  return response;
}

// Adds the entities of one kind that have the policy, in the form of the response.
template <class All, class Add>
void collect(const All& all, const op::ListEntitiesForPolicy::Request& request,
             const std::string& arn, std::string_view kind, Add add,
             std::map<std::string, std::function<void()>>& entities) {
  if (request.entity_filter && *request.entity_filter != kind) return;
  const bool by_boundary = request.policy_usage_filter.value_or("") == "PermissionsBoundary";
  const std::string prefix = path_prefix(request);
  for (const auto& [name, entity] : all) {
    const bool has =
        by_boundary ? entity.permissions_boundary == arn : entity.attached_policies.contains(arn);
    if (!has || !entity.path.starts_with(prefix)) continue;
    entities.emplace(std::string(kind) + "/" + base::lower_case(name),
                     [add, &found = entity] { add(found); });
  }
}

op::ListEntitiesForPolicy::Response list_entities(
    Call& call, const op::ListEntitiesForPolicy::Request& request) {
  const sim::iam::Account& account = *call.backend.iam;
  const std::string& arn = account.policy(request.policy_arn.value()).arn;
  op::ListEntitiesForPolicy::Response response;
  response.policy_groups.give();
  response.policy_roles.give();
  response.policy_users.give();
  std::map<std::string, std::function<void()>> entities;
  collect(
      account.groups(), request, arn, "Group",
      [&](const sim::iam::Group& group) {
        response.policy_groups.push_back({.group_id = group.id, .group_name = group.name});
      },
      entities);
  collect(
      account.roles(), request, arn, "Role",
      [&](const sim::iam::Role& role) {
        response.policy_roles.push_back({.role_id = role.id, .role_name = role.name});
      },
      entities);
  collect(
      account.users(), request, arn, "User",
      [&](const sim::iam::User& user) {
        response.policy_users.push_back({.user_id = user.id, .user_name = user.name});
      },
      entities);
  page(
      response, request, entities, [](const auto& entry) { return entry.first; },
      [](const auto& entry) { entry.second(); });
  return response;
}

op::DeletePolicy::Response delete_policy(Call& call, const op::DeletePolicy::Request& request) {
  call.backend.iam->delete_policy(request.policy_arn.value());
  return {};
}

op::TagPolicy::Response tag_policy(Call& call, const op::TagPolicy::Request& request) {
  call.backend.iam->tag_policy(request.policy_arn.value(), read_tags(request.tags));
  return {};
}

op::UntagPolicy::Response untag_policy(Call& call, const op::UntagPolicy::Request& request) {
  call.backend.iam->untag_policy(request.policy_arn.value(), request.tag_keys);
  return {};
}

op::ListPolicyTags::Response list_policy_tags(Call& call,
                                              const op::ListPolicyTags::Request& request) {
  op::ListPolicyTags::Response response;
  response.tags.give();
  page(
      response, request, shown_tags(call.backend.iam->policy(request.policy_arn.value()).tags),
      [](const auto& tag) { return base::lower_case(*tag.key); },
      [&](const auto& tag) { response.tags.push_back(tag); });
  return response;
}

}  // namespace

std::vector<ActionRow> policy_actions() {
  return {
      action<op::CreatePolicy, create_policy>(), action<op::GetPolicy, get_policy>(),
      action<op::ListPolicies, list_policies>(), action<op::ListEntitiesForPolicy, list_entities>(),
      action<op::DeletePolicy, delete_policy>(), action<op::TagPolicy, tag_policy>(),
      action<op::UntagPolicy, untag_policy>(),   action<op::ListPolicyTags, list_policy_tags>()};
}

}  // namespace fakes::iam
