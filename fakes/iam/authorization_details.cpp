// GetAccountAuthorizationDetails: all entities of the account, with their policies.
#include <algorithm>
#include <functional>
#include <map>

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

api::iam::ManagedPolicyDetail detail_of(const PolicyUses& uses, const sim::iam::Policy& policy) {
  const api::iam::Policy whole = shown(uses, policy, Detail::kWhole);
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

// The entities of a page, and the one after them: users, groups, roles, the account's policies, and
// those of AWS's policies that something in the account has.
class PageOfEntries {
 public:
  PageOfEntries(const Account& account, const Request& request)
      : account_(account),
        request_(request),
        after_(base::base64_decode(request.marker.value_or("")).value_or("")),
        most_(static_cast<std::size_t>(request.max_items.value_or(100))) {
    append_identities('1', "User", account.users(), &Response::user_detail_list);
    append_identities('2', "Group", account.groups(), &Response::group_detail_list);
    append_identities('3', "Role", account.roles(), &Response::role_detail_list);
    if (entries_.size() <= most_) append_policies();
  }
  PageOfEntries(const PageOfEntries&) = delete;
  PageOfEntries& operator=(const PageOfEntries&) = delete;

  const std::vector<Entry>& entries() const { return entries_; }

 private:
  // `rank` is the type's place in the order. The order of `all` is that of the texts that `text`
  // makes of its keys.
  template <class All, class Text, class Add>
  void append(char rank, std::string_view type, const All& all, Text text, Add add) {
    const auto& asked = request_.filter;
    if (!asked.empty() && std::ranges::find(asked, type) == asked.end()) return;
    if (!after_.empty() && after_.front() > rank) return;
    auto it = after_.starts_with(rank) ? all.upper_bound(after_.substr(1)) : all.begin();
    for (; it != all.end() && entries_.size() <= most_; ++it)
      entries_.push_back(
          {rank + text(it->first), [add, &entity = it->second](Response& to) { add(to, entity); }});
  }

  template <class All, class List>
  void append_identities(char rank, std::string_view type, const All& all, List list) {
    append(rank, type, all, base::lower_case, [this, list](Response& to, const auto& entity) {
      (to.*list).push_back(detail_of(account_, entity));
    });
  }

  void append_policies() {
    uses_ = policy_uses(account_);
    for (const auto* policy : account_.policies())
      if (!policy->is_aws_managed)
        own_.emplace(policy->arn, policy);
      else if (uses_.contains(policy->arn))
        of_aws_.emplace(policy->arn, policy);
    const auto add = [this](Response& to, const sim::iam::Policy* policy) {
      to.policies.push_back(detail_of(uses_, *policy));
    };
    append('4', "LocalManagedPolicy", own_, std::identity{}, add);
    append('5', "AWSManagedPolicy", of_aws_, std::identity{}, add);
  }

  using Policies = std::map<std::string, const sim::iam::Policy*>;  // by ARN

  const Account& account_;
  const Request& request_;
  std::string after_;  // the key of the last entity shown; empty: of the first page
  std::size_t most_;
  PolicyUses uses_;
  Policies own_, of_aws_;
  std::vector<Entry> entries_;
};

Response get_details(Call& call, const Request& request) {
  Response response;
  response.user_detail_list.give();
  response.group_detail_list.give();
  response.role_detail_list.give();
  response.policies.give();
  const PageOfEntries shown(*call.backend.iam, request);
  page(
      response, request, shown.entries(), [](const Entry& entry) { return entry.key; },
      [&](const Entry& entry) { entry.add(response); });
  return response;
}

}  // namespace

std::vector<ActionRow> authorization_detail_actions() {
  return {action<op::GetAccountAuthorizationDetails, get_details>()};
}

}  // namespace fakes::iam
