// The handlers of IAM's actions, by resource, and descriptions of its resources.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "api/iam.h"
#include "base/text/lower_case.h"
#include "fakes/action.h"
#include "fakes/key_page.h"
#include "sim/iam/account.h"

namespace fakes::iam {

namespace op = api::iam::op;
using sim::cloud::ApiError;

std::vector<ActionRow> role_actions();
std::vector<ActionRow> user_actions();
std::vector<ActionRow> group_actions();
std::vector<ActionRow> identity_policy_actions();
std::vector<ActionRow> policy_actions();
std::vector<ActionRow> policy_version_actions();
std::vector<ActionRow> instance_profile_actions();
std::vector<ActionRow> open_id_provider_actions();
std::vector<ActionRow> simulation_actions();
std::vector<ActionRow> account_summary_actions();
std::vector<ActionRow> authorization_detail_actions();
std::vector<ActionRow> credential_report_actions();

// ---- shown.cpp
// Lists describe a resource with fewer members than the action for a single one (IAM API reference,
// ListRoles).
enum class Detail { kWhole, kListed };
api::iam::Role shown(const sim::iam::Role& role, Detail detail);
api::iam::User shown(const sim::iam::User& user, Detail detail);
api::iam::Group shown(const sim::iam::Group& group);
// How many entities a policy is attached to, and how many have it as permissions boundary.
struct PolicyUse {
  std::int64_t attachments = 0, boundaries = 0;
};
// By the ARN of each policy in use. Walks all users, groups and roles: collected once for a list.
using PolicyUses = std::map<std::string, PolicyUse>;
PolicyUses policy_uses(const sim::iam::Account& account);
PolicyUse use_of(const PolicyUses& uses, const sim::iam::Policy& policy);
api::iam::Policy shown(const PolicyUses& uses, const sim::iam::Policy& policy, Detail detail);
api::iam::InstanceProfile shown(const sim::iam::Account& account,
                                const sim::iam::InstanceProfile& profile, Detail detail);
api::iam::RoleLastUsed shown_last_use(const sim::iam::Role& role);
api::iam::AttachedPermissionsBoundary shown_boundary(const sim::iam::Identity& identity);
api::List<api::iam::Tag> shown_tags(const sim::iam::Tags& tags);
// IAM percent-encodes policy documents in its answers.
std::string shown_document(const std::string& document);

// ---- policy_versions.cpp
api::iam::PolicyVersion shown_version(const sim::iam::Policy& policy, int number, Detail detail);

// Throws ApiError InvalidInput for a repeated key.
sim::iam::Tags read_tags(const api::List<api::iam::Tag>& tags);

// Fills a page of a list: calls `add` with at most MaxItems (default 100) of the elements after
// Marker. `elements` are in the order of `key`. Throws ApiError ValidationError.
template <class Response, class Request, class Elements, class Key, class Add>
void page(Response& response, const Request& request, const Elements& elements, Key key, Add add) {
  constexpr std::int64_t kMostOnAPage = 100;
  response.marker = add_page({.token = request.marker.value_or(""),
                              .most = request.max_items.value_or(kMostOnAPage),
                              .refusal = {"ValidationError", "Invalid Marker."}},
                             elements, key, add);
  response.is_truncated = response.marker.has_value();
}
// page() of an entity's tags.
template <class Response, class Request>
void add_tags_page(Response& response, const Request& request, const sim::iam::Tags& tags) {
  response.tags.give();
  page(
      response, request, shown_tags(tags),
      [](const auto& tag) { return base::lower_case(*tag.key); },
      [&](const auto& tag) { response.tags.push_back(tag); });
}

// The PathPrefix of a list's request. Throws ApiError ValidationError for one that does not begin
// with a slash.
template <class Request>
std::string path_prefix(const Request& request) {
  const std::string prefix = request.path_prefix.value_or("/");
  if (!prefix.starts_with('/'))
    throw sim::iam::invalid_value(prefix, "pathPrefix", R"(\u002F[\u0021-\u007F]*)");
  return prefix;
}

}  // namespace fakes::iam
