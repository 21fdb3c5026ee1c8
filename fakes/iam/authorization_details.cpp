// GetAccountAuthorizationDetails: all entities of the account, with their policies.
#include <algorithm>
#include <functional>

#include "fakes/iam/actions.h"

namespace fakes::iam {
namespace {

using Request = op::GetAccountAuthorizationDetails::Request;
using Response = op::GetAccountAuthorizationDetails::Response;
using sim::iam::Account;

api::List<api::iam::PolicyDetail> shown_inline(const sim::iam::Identity& identity) {
  api::List<api::iam::PolicyDetail> shown;
  shown.give();
  for (const auto& [name, document] : identity.inline_policies)
    shown.push_back({.policy_document = shown_document(document), .policy_name = name});
  return shown;
}

api::List<api::iam::AttachedPolicy> shown_attached(const Account& account,
                                                   const sim::iam::Identity& identity) {
  api::List<api::iam::AttachedPolicy> shown;
  shown.give();
  for (const std::string& arn : identity.attached_policies)
    shown.push_back({.policy_arn = arn, .policy_name = account.policy(arn).name});
  return shown;
}

// Fills the members that users, groups and roles share.
template <class Detail>
void show_identity(Detail& detail, const Account& account, const sim::iam::Identity& identity) {
  detail.arn = identity.arn;
  detail.create_date = timestamp(identity.created);
  detail.path = identity.path;
  detail.attached_managed_policies = shown_attached(account, identity);
  if constexpr (requires { detail.permissions_boundary; })
    if (!identity.permissions_boundary.empty())
      detail.permissions_boundary = shown_boundary(identity);
  if constexpr (requires { detail.tags; }) detail.tags = shown_tags(identity.tags);
}

api::iam::UserDetail detail_of(const Account& account, const sim::iam::User& user) {
  api::iam::UserDetail detail;
  show_identity(detail, account, user);
  detail.user_id = user.id;
  detail.user_name = user.name;
  detail.user_policy_list = shown_inline(user);
  detail.group_list.give();
  for (const std::string& group : user.groups) detail.group_list.push_back(group);
  return detail;
}

api::iam::GroupDetail detail_of(const Account& account, const sim::iam::Group& group) {
  api::iam::GroupDetail detail;
  show_identity(detail, account, group);
  detail.group_id = group.id;
  detail.group_name = group.name;
  detail.group_policy_list = shown_inline(group);
  return detail;
}

api::iam::RoleDetail detail_of(const Account& account, const sim::iam::Role& role) {
  api::iam::RoleDetail detail;
  show_identity(detail, account, role);
  detail.role_id = role.id;
  detail.role_name = role.name;
  detail.role_policy_list = shown_inline(role);
  detail.assume_role_policy_document = shown_document(role.trust_policy);
  detail.role_last_used = shown_last_use(role);
  detail.instance_profile_list.give();
  for (const auto* profile : account.instance_profiles_with(role.name))
    detail.instance_profile_list.push_back(shown(account, *profile, Detail::kListed));
  return detail;
}

api::iam::ManagedPolicyDetail detail_of(const Account& account, const sim::iam::Policy& policy) {
  const api::iam::Policy whole = shown(account, policy, Detail::kWhole);
  api::iam::ManagedPolicyDetail detail;
  detail.arn = whole.arn;
  detail.attachment_count = whole.attachment_count;
  detail.create_date = whole.create_date;
  detail.default_version_id = whole.default_version_id;
  detail.description = whole.description;
  detail.is_attachable = whole.is_attachable;
  detail.path = whole.path;
  detail.permissions_boundary_usage_count = whole.permissions_boundary_usage_count;
  detail.policy_id = whole.policy_id;
  detail.policy_name = whole.policy_name;
  detail.update_date = whole.update_date;
  detail.policy_version_list.give();
  for (const auto& [number, version] : policy.versions)
    detail.policy_version_list.push_back(shown_version(policy, number, Detail::kWhole));
  return detail;
}

// An entity, with the text after which a page begins.
struct Entry {
  std::string key;
  std::function<void(Response&)> add;
};

bool is_asked(const Request& request, std::string_view type) {
  return request.filter.empty() || std::ranges::find(request.filter, type) != request.filter.end();
}

// AWS's own policies are only listed if something in the account has them.
void add_policies(const Account& account, const Request& request, std::vector<Entry>& entries) {
  for (const auto* policy : account.policies()) {
    const auto type = policy->is_aws_managed ? "AWSManagedPolicy" : "LocalManagedPolicy";
    if (!is_asked(request, type)) continue;
    if (policy->is_aws_managed && !is_in_use(account, *policy)) continue;
    entries.push_back({"4" + policy->arn, [&account, policy](Response& response) {
                         response.policies.push_back(detail_of(account, *policy));
                       }});
  }
}

std::vector<Entry> entries_for(const Account& account, const Request& request) {
  std::vector<Entry> entries;
  const auto add = [&](const auto& all, char rank, std::string_view type, auto list) {
    if (!is_asked(request, type)) return;
    for (const auto& [name, entity] : all)
      entries.push_back({rank + base::lower_case(name), [&account, &entity, list](Response& to) {
                           (to.*list).push_back(detail_of(account, entity));
                         }});
  };
  add(account.users(), '1', "User", &Response::user_detail_list);
  add(account.groups(), '2', "Group", &Response::group_detail_list);
  add(account.roles(), '3', "Role", &Response::role_detail_list);
  add_policies(account, request, entries);
  std::ranges::sort(entries, {}, &Entry::key);
  return entries;
}

Response get_details(Call& call, const Request& request) {
  Response response;
  response.user_detail_list.give();
  response.group_detail_list.give();
  response.role_detail_list.give();
  response.policies.give();
  page(
      response, request, entries_for(*call.backend.iam, request),
      [](const Entry& entry) { return entry.key; },
      [&](const Entry& entry) { entry.add(response); });
  return response;
}

}  // namespace

std::vector<ActionRow> authorization_detail_actions() {
  return {action<op::GetAccountAuthorizationDetails, get_details>()};
}

}  // namespace fakes::iam
