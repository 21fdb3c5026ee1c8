// Instance profiles and their tags.
#include "fakes/iam/actions.h"

namespace fakes::iam {
namespace {

op::CreateInstanceProfile::Response create_profile(
    Call& call, const op::CreateInstanceProfile::Request& request) {
  sim::iam::InstanceProfile profile;
  profile.name = request.instance_profile_name.value();
  profile.path = request.path.value_or("/");
  profile.tags = read_tags(request.tags);
  sim::iam::Account& account = *call.backend.iam;
  return {.instance_profile =
              shown(account, account.create_instance_profile(std::move(profile)), Detail::kWhole)};
}

op::GetInstanceProfile::Response get_profile(Call& call,
                                             const op::GetInstanceProfile::Request& request) {
  const sim::iam::Account& account = *call.backend.iam;
  return {.instance_profile =
              shown(account, account.instance_profile(request.instance_profile_name.value()),
                    Detail::kWhole)};
}

using Profiles = std::vector<const sim::iam::InstanceProfile*>;

template <class Response, class Request>
Response list(Call& call, const Request& request, const Profiles& profiles) {
  Response response;
  response.instance_profiles.give();
  page(
      response, request, profiles,
      [](const auto* profile) { return base::lower_case(profile->name); },
      [&](const auto* profile) {
        response.instance_profiles.push_back(shown(*call.backend.iam, *profile, Detail::kListed));
      });
  return response;
}

op::ListInstanceProfiles::Response list_profiles(Call& call,
                                                 const op::ListInstanceProfiles::Request& request) {
  const std::string prefix = path_prefix(request);
  Profiles profiles;
  for (const auto& [name, profile] : call.backend.iam->instance_profiles())
    if (profile.path.starts_with(prefix)) profiles.push_back(&profile);
  return list<op::ListInstanceProfiles::Response>(call, request, profiles);
}

op::ListInstanceProfilesForRole::Response list_profiles_of_role(
    Call& call, const op::ListInstanceProfilesForRole::Request& request) {
  return list<op::ListInstanceProfilesForRole::Response>(
      call, request, call.backend.iam->instance_profiles_with(request.role_name.value()));
}

op::DeleteInstanceProfile::Response delete_profile(
    Call& call, const op::DeleteInstanceProfile::Request& request) {
  call.backend.iam->delete_instance_profile(request.instance_profile_name.value());
  return {};
}

op::AddRoleToInstanceProfile::Response add_role(
    Call& call, const op::AddRoleToInstanceProfile::Request& request) {
  call.backend.iam->add_role(request.instance_profile_name.value(), request.role_name.value());
  return {};
}

op::RemoveRoleFromInstanceProfile::Response remove_role(
    Call& call, const op::RemoveRoleFromInstanceProfile::Request& request) {
  call.backend.iam->remove_role(request.instance_profile_name.value(), request.role_name.value());
  return {};
}

op::TagInstanceProfile::Response tag_profile(Call& call,
                                             const op::TagInstanceProfile::Request& request) {
  call.backend.iam->tag_instance_profile(request.instance_profile_name.value(),
                                         read_tags(request.tags));
  return {};
}

op::UntagInstanceProfile::Response untag_profile(Call& call,
                                                 const op::UntagInstanceProfile::Request& request) {
  call.backend.iam->untag_instance_profile(request.instance_profile_name.value(), request.tag_keys);
  return {};
}

op::ListInstanceProfileTags::Response list_profile_tags(
    Call& call, const op::ListInstanceProfileTags::Request& request) {
  const auto& profile = call.backend.iam->instance_profile(request.instance_profile_name.value());
  op::ListInstanceProfileTags::Response response;
  response.tags.give();
  page(
      response, request, shown_tags(profile.tags),
      [](const auto& tag) { return base::lower_case(*tag.key); },
      [&](const auto& tag) { response.tags.push_back(tag); });
  return response;
}

}  // namespace

std::vector<ActionRow> instance_profile_actions() {
  return {action<op::CreateInstanceProfile, create_profile>(),
          action<op::GetInstanceProfile, get_profile>(),
          action<op::ListInstanceProfiles, list_profiles>(),
          action<op::ListInstanceProfilesForRole, list_profiles_of_role>(),
          action<op::DeleteInstanceProfile, delete_profile>(),
          action<op::AddRoleToInstanceProfile, add_role>(),
          action<op::RemoveRoleFromInstanceProfile, remove_role>(),
          action<op::TagInstanceProfile, tag_profile>(),
          action<op::UntagInstanceProfile, untag_profile>(),
          action<op::ListInstanceProfileTags, list_profile_tags>()};
}

}  // namespace fakes::iam
