#include "fakes/callers.h"

#include "fakes/authorisation/signature.h"
#include "fakes/iam_names.h"
#include "fakes/regions.h"

namespace fakes {
namespace {

using sim::iam::Caller;

// The owner of the key that signed the request. Empty for a key that IAM does not know.
std::optional<Caller> owner_of_key(const Call& call) {
  if (call.http == nullptr) return {};
  const auto signature = authorisation::read_signature(*call.http);
  if (!signature) return {};
  const sim::iam::Account& account = *call.backend.iam;
  if (const auto* const key = account.find_access_key(signature->key_id))
    return account.caller_of_user(key->user);
  if (const auto* const session = account.find_session(signature->key_id)) return session->caller;
  return {};
}

}  // namespace

Caller caller_of(const Call& call) {
  if (call.identity != nullptr) return *call.identity;
  if (auto owner = owner_of_key(call)) return *owner;
  std::string role = "operator", session = "operator";
  const sim::cloud::InstanceId instance{std::string(call.caller)};
  const auto& instances = region_with(call.backend, instance).cloud.instances();
  const auto found = instances.find(instance);
  if (found != instances.end()) {
    if (const std::string own = role_name(call.backend, found->second); !own.empty()) {
      role = own;
      session = found->first.value;
    }
  }
  const std::string& account = call.cloud.config().account_id;
  const auto& roles = call.backend.iam->roles();
  const auto known = roles.find(role);
  const std::string id =
      known != roles.end()
          ? known->second.id
          : "AROA" + iam_characters(call.backend.streams.stream("role-id", role), 17);
  return {.kind = Caller::Kind::kRole,
          .name = role,
          .session = session,
          .id = id + ":" + session,
          .arn = "arn:aws:sts::" + account + ":assumed-role/" + role + "/" + session,
          .account = account};
}

}  // namespace fakes
