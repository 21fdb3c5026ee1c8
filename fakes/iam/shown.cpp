#include "api/percent.h"
#include "fakes/iam/actions.h"

namespace fakes::iam {
namespace {

template <class Text>
api::Opt<std::string> if_any(const Text& text) {
  return text.empty() ? std::nullopt : api::Opt<std::string>(text);
}

}  // namespace

PolicyUses policy_uses(const sim::iam::Account& account) {
  PolicyUses uses;
  const auto count = [&](const auto& identities) {
    for (const auto& [name, identity] : identities) {
      for (const std::string& arn : identity.attached_policies) ++uses[arn].attachments;
      if (!identity.permissions_boundary.empty()) ++uses[identity.permissions_boundary].boundaries;
    }
  };
  count(account.users());
  count(account.groups());
  count(account.roles());
  return uses;
}

PolicyUse use_of(const PolicyUses& uses, const sim::iam::Policy& policy) {
  const auto found = uses.find(policy.arn);
  return found != uses.end() ? found->second : PolicyUse{};
}

std::string shown_document(const std::string& document) {
  std::string text;
  api::append_percent(text, document);
  return text;
}

api::List<api::iam::Tag> shown_tags(const sim::iam::Tags& tags) {
  api::List<api::iam::Tag> shown;
  shown.give();
  for (const auto& [key, value] : tags) shown.push_back({.key = key, .value = value});
  return shown;
}

sim::iam::Tags read_tags(const api::List<api::iam::Tag>& tags) {
  sim::iam::Tags read;
  for (const auto& tag : tags)
    if (!read.emplace(tag.key.value(), tag.value.value()).second)
      throw ApiError("InvalidInput",
                     "Duplicate tag keys found. Please note that Tag keys are case insensitive.");
  return read;
}

api::iam::Role shown(const sim::iam::Role& role, Detail detail) {
  api::iam::Role out{.arn = role.arn,
                     .assume_role_policy_document = shown_document(role.trust_policy),
                     .create_date = timestamp(role.created),
                     .description = if_any(role.description),
                     .max_session_duration = role.max_session_seconds,
                     .path = role.path,
                     .role_id = role.id,
                     .role_name = role.name};
  if (detail == Detail::kListed) return out;
  if (!role.tags.empty()) out.tags = shown_tags(role.tags);
  if (!role.permissions_boundary.empty()) out.permissions_boundary = shown_boundary(role);
  out.role_last_used = shown_last_use(role);
  return out;
}

api::iam::RoleLastUsed shown_last_use(const sim::iam::Role& role) {
  if (!role.last_used) return {};
  return {.last_used_date = timestamp(std::chrono::floor<std::chrono::seconds>(*role.last_used)),
          .region = role.last_region};
}

api::iam::AttachedPermissionsBoundary shown_boundary(const sim::iam::Identity& identity) {
  return {.permissions_boundary_arn = identity.permissions_boundary,
          .permissions_boundary_type = "PermissionsBoundaryPolicy"};
}

api::iam::User shown(const sim::iam::User& user, Detail detail) {
  api::iam::User out{.arn = user.arn,
                     .create_date = timestamp(user.created),
                     .path = user.path,
                     .user_id = user.id,
                     .user_name = user.name};
  if (detail == Detail::kListed) return out;
  if (!user.tags.empty()) out.tags = shown_tags(user.tags);
  if (!user.permissions_boundary.empty()) out.permissions_boundary = shown_boundary(user);
  return out;
}

api::iam::Group shown(const sim::iam::Group& group) {
  return {.arn = group.arn,
          .create_date = timestamp(group.created),
          .group_id = group.id,
          .group_name = group.name,
          .path = group.path};
}

api::iam::Policy shown(const PolicyUses& uses, const sim::iam::Policy& policy, Detail detail) {
  const PolicyUse use = use_of(uses, policy);
  api::iam::Policy out{.arn = policy.arn,
                       .attachment_count = use.attachments,
                       .create_date = timestamp(policy.created),
                       .default_version_id = "v" + std::to_string(policy.default_version),
                       .is_attachable = true,
                       .path = policy.path,
                       .permissions_boundary_usage_count = use.boundaries,
                       .policy_id = policy.id,
                       .policy_name = policy.name,
                       .update_date = timestamp(policy.updated)};
  if (detail == Detail::kListed) return out;
  out.description = if_any(policy.description);
  out.tags = shown_tags(policy.tags);
  return out;
}

api::iam::InstanceProfile shown(const sim::iam::Account& account,
                                const sim::iam::InstanceProfile& profile, Detail detail) {
  api::iam::InstanceProfile out{.arn = profile.arn,
                                .create_date = timestamp(profile.created),
                                .instance_profile_id = profile.id,
                                .instance_profile_name = profile.name,
                                .path = profile.path};
  out.roles.give();
  if (!profile.role.empty())
    out.roles.push_back(shown(account.role(profile.role), Detail::kListed));
  if (detail == Detail::kWhole) out.tags = shown_tags(profile.tags);
  return out;
}

}  // namespace fakes::iam
