// Who a caller is to AWS, and temporary credentials (AWS Security Token Service API reference).
#include "api/sts.h"

#include <fmt/format.h>

#include <algorithm>

#include "fakes/authorisation/authorisation.h"
#include "fakes/callers.h"
#include "fakes/service.h"
#include "fakes/sts/session_tags.h"
#include "fakes/sts/web_identity.h"
#include "sim/events/event.h"
#include "sim/iam/names.h"
#include "sim/iam/policy_document.h"

namespace fakes {
namespace {

namespace op = api::sts::op;
using sim::cloud::ApiError;
using sim::iam::Caller;

constexpr std::int64_t kHalfDay = 43'200;  // in seconds

op::GetCallerIdentity::Response get_caller_identity(Call& call,
                                                    const op::GetCallerIdentity::Request&) {
  const Caller caller = caller_of(call);
  return {.account = call.cloud.config().account_id, .arn = caller.arn, .user_id = caller.id};
}

template <class Response>
void show_credentials(const sim::iam::Session& session, Response& response) {
  auto& shown = response.credentials.emplace();
  shown.access_key_id = session.key_id;
  shown.secret_access_key = session.secret;
  shown.session_token = session.token;
  shown.expiration = timestamp(session.expires);
}

// Session policies limit what the policies of the role or user allow.
template <class Request>
std::vector<std::string> session_policies(const Call& call, const Request& request) {
  std::vector<std::string> documents;
  if (request.policy) {
    sim::iam::check_identity_policy(*request.policy);
    documents.push_back(*request.policy);
  }
  for (const auto& policy : request.policy_arns)
    documents.push_back(call.backend.iam->policy(policy.arn.value_or("")).document());
  return documents;
}

// The part of the room for session policies that these take, in percent. Empty: there are none.
api::Opt<std::int64_t> packed_size(const Caller& caller) {
  if (caller.session_policies.empty()) return {};
  constexpr std::size_t kMostCharacters = 2048;
  std::size_t length = 0;
  for (const std::string& document : caller.session_policies) length += document.size();
  return static_cast<std::int64_t>(100 * length / kMostCharacters) + 1;
}

// The session of a role.
template <class Response>
void show_session(const sim::iam::Session& session, Response& response) {
  show_credentials(session, response);
  auto& shown = response.assumed_role_user.emplace();
  shown.arn = session.caller.arn;
  shown.assumed_role_id = session.caller.id;
  response.packed_policy_size = packed_size(session.caller);
}

const sim::iam::Role& role_with(const Call& call, const std::string& arn) {
  if (const auto* const role = call.backend.iam->find_role_by_arn(arn)) return *role;
  throw ApiError(
      "AccessDenied",
      fmt::format("User: {} is not authorized to perform: sts:AssumeRole on resource: {}",
                  caller_of(call).arn, arn),
      403);
}

ApiError not_with_session(std::string_view action) {
  return {"AccessDenied", fmt::format("Cannot call {} with session credentials", action), 403};
}

// The actions that sessions cannot call (IAM User Guide, "Compare AWS STS credentials",
// "Permissions for GetFederationToken" and "Permissions for GetSessionToken").
enum class Forbidden { kToFederatedUsers, kToSessionsOfUsers, kToSessions };

void check_session(const Call& call, Forbidden forbidden, std::string_view action) {
  const Caller* const caller = call.identity;
  if (caller == nullptr || !caller->token_issued) return;
  const bool of_role = caller->kind == Caller::Kind::kRole;
  if (forbidden == Forbidden::kToSessions ||
      (forbidden == Forbidden::kToSessionsOfUsers && !of_role) ||
      caller->kind == Caller::Kind::kFederated)
    throw not_with_session(action);
}

void check_duration(const sim::iam::Role& role, std::int64_t seconds) {
  if (seconds > role.max_session_seconds)
    throw ApiError("ValidationError",
                   "The requested DurationSeconds exceeds the MaxSessionDuration set for this "
                   "role.");
}

op::AssumeRole::Response assume_role(Call& call, const op::AssumeRole::Request& request) {
  constexpr std::int64_t kChained = 3600;  // of a role that assumes a role
  check_session(call, Forbidden::kToFederatedUsers, "AssumeRole");
  const auto& role = role_with(call, request.role_arn.value());
  const std::int64_t seconds = request.duration_seconds.value_or(3600);
  const bool chained = call.identity != nullptr && call.identity->kind == Caller::Kind::kRole;
  if (chained && seconds > kChained)
    throw ApiError("ValidationError",
                   "The requested DurationSeconds exceeds the 1 hour session limit for roles "
                   "assumed by role chaining");
  check_duration(role, seconds);
  sim::iam::check_session_name(request.role_session_name.value(), "roleSessionName");
  Caller caller = call.backend.iam->caller_of_role(role.name, request.role_session_name.value());
  caller.session_policies = session_policies(call, request);
  sts::tag_session(call, request, caller);
  const auto& session =
      call.backend.iam->open_session(std::move(caller), std::chrono::seconds{seconds});
  op::AssumeRole::Response response;
  show_session(session, response);
  if (!session.caller.source_identity.empty())
    response.source_identity = session.caller.source_identity;
  return response;
}

// The log says which claims were checked: a signature cannot be verified without the provider's
// keys.
op::AssumeRoleWithWebIdentity::Response assume_role_with_web_identity(
    Call& call, const op::AssumeRoleWithWebIdentity::Request& request) {
  sim::iam::Account& account = *call.backend.iam;
  const sts::Claims claims = sts::read_token(call.backend, request.web_identity_token.value());
  const auto* const found = account.find_role_by_arn(request.role_arn.value());
  if (found == nullptr)
    throw ApiError("AccessDenied", "Not authorized to perform sts:AssumeRoleWithWebIdentity", 403);
  const sim::iam::Role& role = *found;
  const auto parameters = api::form_of(*op::AssumeRoleWithWebIdentity::service()
                                            .operations[op::AssumeRoleWithWebIdentity::kAt]
                                            .input.shape,
                                       &request, api::FormStyle::kQuery);
  sts::check_trust(call.backend, role, claims, parameters, call.caller);
  const std::int64_t seconds = request.duration_seconds.value_or(3600);
  check_duration(role, seconds);
  sim::iam::check_session_name(request.role_session_name.value(), "roleSessionName");
  Caller caller = account.caller_of_role(role.name, request.role_session_name.value());
  caller.session_policies = session_policies(call, request);
  call.backend.log.append(sim::events::StsToken{.time = call.now,
                                                .role_arn = role.arn,
                                                .issuer = claims.issuer,
                                                .subject = claims.subject,
                                                .checked = "iss aud exp"});
  const auto& session = account.open_session(std::move(caller), std::chrono::seconds{seconds});
  op::AssumeRoleWithWebIdentity::Response response;
  show_session(session, response);
  response.audience = sts::audience_of(claims);
  response.provider = account.open_id_provider_of(claims.issuer)->arn;
  response.subject_from_web_identity_token = claims.subject;
  return response;
}

op::GetFederationToken::Response get_federation_token(
    Call& call, const op::GetFederationToken::Request& request) {
  check_session(call, Forbidden::kToSessions, "GetFederationToken");
  const std::string& name = request.name.value();
  sim::iam::check_session_name(name, "name");
  Caller caller = call.backend.iam->federated_caller(caller_of(call), name);
  caller.session_policies = session_policies(call, request);
  const auto& session = call.backend.iam->open_session(
      std::move(caller), std::chrono::seconds{request.duration_seconds.value_or(kHalfDay)});
  op::GetFederationToken::Response response;
  show_credentials(session, response);
  auto& user = response.federated_user.emplace();
  user.arn = session.caller.arn;
  user.federated_user_id = session.caller.id;
  response.packed_policy_size = packed_size(session.caller);
  return response;
}

op::GetSessionToken::Response get_session_token(Call& call,
                                                const op::GetSessionToken::Request& request) {
  check_session(call, Forbidden::kToSessions, "GetSessionToken");
  const auto& session = call.backend.iam->open_session(
      call.identity != nullptr ? *call.identity : call.backend.iam->root(),
      std::chrono::seconds{request.duration_seconds.value_or(kHalfDay)});
  op::GetSessionToken::Response response;
  show_credentials(session, response);
  return response;
}

// The account of a key. STS and IAM make keys of this account only.
op::GetAccessKeyInfo::Response get_access_key_info(Call& call,
                                                   const op::GetAccessKeyInfo::Request& request) {
  const std::string& id = request.access_key_id.value();
  if (!id.starts_with("AKIA") && !id.starts_with("ASIA"))
    throw ApiError("ValidationError", fmt::format("Invalid access key ID: {}", id));
  return {.account = call.cloud.config().account_id};
}

op::DecodeAuthorizationMessage::Response decode(
    Call& call, const op::DecodeAuthorizationMessage::Request& request) {
  check_session(call, Forbidden::kToSessionsOfUsers, "DecodeAuthorizationMessage");
  return {.decoded_message = authorisation::decode_message(request.encoded_message.value())};
}

}  // namespace

const Service& sts_service() {
  static const ActionRow rows[] = {
      action<op::AssumeRole, assume_role>(),
      action<op::AssumeRoleWithWebIdentity, assume_role_with_web_identity>(),
      action<op::DecodeAuthorizationMessage, decode>(),
      action<op::GetAccessKeyInfo, get_access_key_info>(),
      action<op::GetCallerIdentity, get_caller_identity>(),
      action<op::GetFederationToken, get_federation_token>(),
      action<op::GetSessionToken, get_session_token>()};
  static const Service service{.model = api::sts::kService, .actions = rows, .global = true};
  return service;
}

}  // namespace fakes
