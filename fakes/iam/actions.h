// The handlers of IAM's actions, by resource, and descriptions of its resources.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "api/iam.h"
#include "base/text/base64.h"
#include "base/text/lower_case.h"
#include "fakes/action.h"
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

// Fills a page of a list: at most MaxItems (default 100) of the things with a key after Marker.
// `things` is in the order of `key`; `add` adds one of them to the response.
template <class Response, class Request, class Things, class Key, class Add>
void page(Response& response, const Request& request, const Things& things, Key key, Add add) {
  const auto last = base::base64_decode(request.marker.value_or(""));
  if (!last) throw ApiError("ValidationError", "Invalid Marker.");
  const std::int64_t most = request.max_items.value_or(100);
  std::int64_t count = 0;
  std::string shown_key;
  response.is_truncated = false;
  for (const auto& thing : things) {
    const std::string own = key(thing);
    if (request.marker && own <= *last) continue;
    if (count == most) {
      response.is_truncated = true;
      response.marker = base::base64_encode(shown_key);
      break;
    }
    add(thing);
    shown_key = own;
    ++count;
  }
}

}  // namespace fakes::iam
