// Users and their tags, access keys and console logins.
#include <algorithm>

#include "fakes/callers.h"
#include "fakes/iam/actions.h"

namespace fakes::iam {
namespace {

using sim::iam::Caller;

// A request without a user's name is about the caller (IAM API reference, GetUser).
template <class Request>
std::string user_in(const Call& call, const Request& request) {
  if (request.user_name) return *request.user_name;
  if (const Caller caller = caller_of(call); caller.kind == Caller::Kind::kUser) return caller.name;
  throw ApiError("ValidationError", "Must specify userName when calling with non-User credentials");
}

op::CreateUser::Response create_user(Call& call, const op::CreateUser::Request& request) {
  sim::iam::User user;
  user.name = request.user_name.value();
  user.path = request.path.value_or("/");
  user.permissions_boundary = request.permissions_boundary.value_or("");
  user.tags = read_tags(request.tags);
  return {.user = shown(call.backend.iam->create_user(std::move(user)), Detail::kWhole)};
}

op::GetUser::Response get_user(Call& call, const op::GetUser::Request& request) {
  return {.user = shown(call.backend.iam->user(user_in(call, request)), Detail::kWhole)};
}

op::ListUsers::Response list_users(Call& call, const op::ListUsers::Request& request) {
  const std::string prefix = path_prefix(request);
  std::vector<const sim::iam::User*> users;
  for (const auto& [name, user] : call.backend.iam->users())
    if (user.path.starts_with(prefix)) users.push_back(&user);
  op::ListUsers::Response response;
  response.users.give();
  page(
      response, request, users, [](const auto* user) { return base::lower_case(user->name); },
      [&](const auto* user) { response.users.push_back(shown(*user, Detail::kListed)); });
  return response;
}

op::UpdateUser::Response update_user(Call& call, const op::UpdateUser::Request& request) {
  call.backend.iam->rename_user(request.user_name.value(), request.new_user_name.value_or(""),
                                request.new_path.value_or(""));
  return {};
}

op::DeleteUser::Response delete_user(Call& call, const op::DeleteUser::Request& request) {
  call.backend.iam->delete_user(request.user_name.value());
  return {};
}

op::TagUser::Response tag_user(Call& call, const op::TagUser::Request& request) {
  call.backend.iam->tag_user(request.user_name.value(), read_tags(request.tags));
  return {};
}

op::UntagUser::Response untag_user(Call& call, const op::UntagUser::Request& request) {
  call.backend.iam->untag_user(request.user_name.value(), request.tag_keys);
  return {};
}

op::ListUserTags::Response list_user_tags(Call& call, const op::ListUserTags::Request& request) {
  op::ListUserTags::Response response;
  add_tags_page(response, request, call.backend.iam->user(request.user_name.value()).tags);
  return response;
}

// ---- access keys

std::string status_of(const sim::iam::AccessKey& key) {
  return key.is_active ? "Active" : "Inactive";
}

// The secret is shown only once.
op::CreateAccessKey::Response create_access_key(Call& call,
                                                const op::CreateAccessKey::Request& request) {
  const auto& key = call.backend.iam->create_access_key(user_in(call, request));
  op::CreateAccessKey::Response response;
  auto& shown = response.access_key.emplace();
  shown.access_key_id = key.id;
  shown.create_date = timestamp(key.created);
  shown.secret_access_key = key.secret;
  shown.status = status_of(key);
  shown.user_name = key.user;
  return response;
}

op::ListAccessKeys::Response list_access_keys(Call& call,
                                              const op::ListAccessKeys::Request& request) {
  op::ListAccessKeys::Response response;
  response.access_key_metadata.give();
  auto keys = call.backend.iam->access_keys(user_in(call, request));
  std::ranges::sort(keys, {}, [](const auto* key) { return key->id; });
  page(
      response, request, keys, [](const auto* key) { return key->id; },
      [&](const auto* key) {
        response.access_key_metadata.push_back({.access_key_id = key->id,
                                                .create_date = timestamp(key->created),
                                                .status = status_of(*key),
                                                .user_name = key->user});
      });
  return response;
}

op::UpdateAccessKey::Response update_access_key(Call& call,
                                                const op::UpdateAccessKey::Request& request) {
  call.backend.iam->set_access_key_active(user_in(call, request), request.access_key_id.value(),
                                          request.status.value() == "Active");
  return {};
}

op::DeleteAccessKey::Response delete_access_key(Call& call,
                                                const op::DeleteAccessKey::Request& request) {
  call.backend.iam->delete_access_key(user_in(call, request), request.access_key_id.value());
  return {};
}

op::GetAccessKeyLastUsed::Response get_access_key_last_used(
    Call& call, const op::GetAccessKeyLastUsed::Request& request) {
  const auto* const key = call.backend.iam->find_access_key(request.access_key_id.value());
  if (key == nullptr)
    throw ApiError("AccessDenied", "The access key " + *request.access_key_id + " is unknown.",
                   403);
  op::GetAccessKeyLastUsed::Response response;
  response.user_name = key->user;
  auto& used = response.access_key_last_used.emplace();
  used.service_name = key->last_used ? key->last_service : "N/A";
  used.region = key->last_used ? key->last_region : "N/A";
  if (key->last_used) used.last_used_date = timestamp(*key->last_used);
  return response;
}

// ---- logins

template <class Response>
Response shown_login(const sim::iam::User& user) {
  Response response;
  auto& shown = response.login_profile.emplace();
  shown.user_name = user.name;
  shown.create_date = timestamp(user.login->created);
  shown.password_reset_required = user.login->password_reset_required;
  return response;
}

op::CreateLoginProfile::Response create_login(Call& call,
                                              const op::CreateLoginProfile::Request& request) {
  auto& account = *call.backend.iam;
  const std::string name = user_in(call, request);
  if (account.user(name).login)
    throw sim::iam::already_exists("Login Profile for user " + name + " already exists.");
  account.set_login(name, sim::iam::Login{.password_reset_required =
                                              request.password_reset_required.value_or(false)});
  return shown_login<op::CreateLoginProfile::Response>(account.user(name));
}

const sim::iam::User& user_with_login(const Call& call, const std::string& name) {
  const auto& user = call.backend.iam->user(name);
  if (!user.login)
    throw sim::iam::no_such_entity("Login Profile for User " + name + " cannot be found.");
  return user;
}

op::GetLoginProfile::Response get_login(Call& call, const op::GetLoginProfile::Request& request) {
  return shown_login<op::GetLoginProfile::Response>(user_with_login(call, user_in(call, request)));
}

op::UpdateLoginProfile::Response update_login(Call& call,
                                              const op::UpdateLoginProfile::Request& request) {
  const std::string& name = request.user_name.value();
  sim::iam::Login login = *user_with_login(call, name).login;
  login.password_reset_required =
      request.password_reset_required.value_or(login.password_reset_required);
  if (request.password) login.password_changed = call.now;
  call.backend.iam->set_login(name, login);
  return {};
}

op::DeleteLoginProfile::Response delete_login(Call& call,
                                              const op::DeleteLoginProfile::Request& request) {
  call.backend.iam->set_login(user_in(call, request), {});
  return {};
}

// ---- credentials that users have in AWS only
//
// Scripts that delete a user list these first. The actions that make them are refused.

template <class Op>
typename Op::Response list_none(Call& call, const typename Op::Request& request) {
  call.backend.iam->user(user_in(call, request));
  typename Op::Response response;
  if constexpr (requires { response.is_truncated; }) response.is_truncated = false;
  if constexpr (requires { response.mfa_devices; }) response.mfa_devices.give();
  if constexpr (requires { response.certificates; }) response.certificates.give();
  if constexpr (requires { response.ssh_public_keys; }) response.ssh_public_keys.give();
  if constexpr (requires { response.service_specific_credentials; })
    response.service_specific_credentials.give();
  return response;
}

}  // namespace

std::vector<ActionRow> user_actions() {
  return {
      action<op::CreateUser, create_user>(),
      action<op::GetUser, get_user>(),
      action<op::ListUsers, list_users>(),
      action<op::UpdateUser, update_user>(),
      action<op::DeleteUser, delete_user>(),
      action<op::TagUser, tag_user>(),
      action<op::UntagUser, untag_user>(),
      action<op::ListUserTags, list_user_tags>(),
      action<op::CreateAccessKey, create_access_key>(),
      action<op::ListAccessKeys, list_access_keys>(),
      action<op::UpdateAccessKey, update_access_key>(),
      action<op::DeleteAccessKey, delete_access_key>(),
      action<op::GetAccessKeyLastUsed, get_access_key_last_used>(),
      action<op::CreateLoginProfile, create_login>(),
      action<op::GetLoginProfile, get_login>(),
      action<op::UpdateLoginProfile, update_login>(),
      action<op::DeleteLoginProfile, delete_login>(),
      action<op::ListMFADevices, list_none<op::ListMFADevices>>(),
      action<op::ListSigningCertificates, list_none<op::ListSigningCertificates>>(),
      action<op::ListSSHPublicKeys, list_none<op::ListSSHPublicKeys>>(),
      action<op::ListServiceSpecificCredentials, list_none<op::ListServiceSpecificCredentials>>()};
}

}  // namespace fakes::iam
