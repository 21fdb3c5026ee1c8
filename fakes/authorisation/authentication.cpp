#include "fakes/authorisation/authentication.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "fakes/iam_names.h"

namespace fakes::authorisation {
namespace {

using sim::cloud::ApiError;

// The possible errors in a request's credentials.
enum class Fault { kUnknownKey, kMismatch, kExpiredToken, kTooOld, kNotYet, kNoToken };

// AWS's code and message for a fault; `text` completes the message.
struct FaultRow {
  Fault fault;
  std::string_view code;
  int status;
  std::string_view message;  // empty: the caller of refuse() states the message
};

// EC2 API reference, "Error codes for the Amazon EC2 API".
constexpr std::string_view kNotValidated =
    "AWS was not able to validate the provided access credentials";
constexpr FaultRow kEc2[] = {{Fault::kUnknownKey, "AuthFailure", 401, kNotValidated},
                             {Fault::kMismatch, "AuthFailure", 401, kNotValidated},
                             {Fault::kExpiredToken, "RequestExpired", 400, "Request has expired."},
                             {Fault::kTooOld, "RequestExpired", 400, "Request has expired."},
                             {Fault::kNotYet, "AuthFailure", 401, kNotValidated},
                             {Fault::kNoToken, "AuthFailure", 401, kNotValidated}};
// S3 API reference, "Error responses".
constexpr FaultRow kS3[] = {
    {Fault::kUnknownKey, "InvalidAccessKeyId", 403,
     "The AWS Access Key Id you provided does not exist in our records."},
    {Fault::kMismatch, "SignatureDoesNotMatch", 403,
     "The request signature we calculated does not match the signature you provided. Check your "
     "key and signing method."},
    {Fault::kExpiredToken, "ExpiredToken", 400, "The provided token has expired."},
    {Fault::kTooOld, "RequestTimeTooSkewed", 403,
     "The difference between the request time and the current time is too large."},
    {Fault::kNotYet, "RequestTimeTooSkewed", 403,
     "The difference between the request time and the current time is too large."},
    {Fault::kNoToken, "InvalidToken", 400,
     "The provided token is malformed or otherwise invalid."}};
// IAM API reference and STS API reference, "Common errors".
constexpr std::string_view kInvalidToken = "The security token included in the request is invalid.";
constexpr std::string_view kMismatch =
    "The request signature we calculated does not match the signature you provided. Check your AWS "
    "Secret Access Key and signing method. Consult the service documentation for details.";
constexpr std::string_view kExpired = "The security token included in the request is expired";
constexpr FaultRow kQuery[] = {{Fault::kUnknownKey, "InvalidClientTokenId", 403, kInvalidToken},
                               {Fault::kMismatch, "SignatureDoesNotMatch", 403, kMismatch},
                               {Fault::kExpiredToken, "ExpiredToken", 403, kExpired},
                               {Fault::kTooOld, "SignatureDoesNotMatch", 403, ""},
                               {Fault::kNotYet, "SignatureDoesNotMatch", 403, ""},
                               {Fault::kNoToken, "InvalidClientTokenId", 403, kInvalidToken}};
constexpr FaultRow kJson[] = {
    {Fault::kUnknownKey, "UnrecognizedClientException", 400, kInvalidToken},
    {Fault::kMismatch, "InvalidSignatureException", 400, kMismatch},
    {Fault::kExpiredToken, "ExpiredTokenException", 400, kExpired},
    {Fault::kTooOld, "InvalidSignatureException", 400, ""},
    {Fault::kNotYet, "InvalidSignatureException", 400, ""},
    {Fault::kNoToken, "UnrecognizedClientException", 400, kInvalidToken}};

[[noreturn]] void refuse(const Service& service, Fault fault, const std::string& message = "") {
  const auto refuse_as = [&](const auto& rows) {
    const FaultRow& row = *std::ranges::find(rows, fault, &FaultRow::fault);
    throw ApiError(std::string(row.code), row.message.empty() ? message : std::string(row.message),
                   row.status);
  };
  if (service.model.protocol == api::Protocol::kEc2) refuse_as(kEc2);
  if (service.model.protocol == api::Protocol::kRestXml) refuse_as(kS3);
  if (service.model.protocol == api::Protocol::kQuery) refuse_as(kQuery);
  refuse_as(kJson);
  std::abort();  // refuse_as() throws
}

// The owner of an access key, and the key's secret.
struct Key {
  std::string secret;
  sim::iam::Caller caller;
};

Key key_of_session(const Backend& backend, const Service& service, const Signature& signature) {
  const auto* const session = backend.iam->find_session(signature.key_id);
  if (session == nullptr) refuse(service, Fault::kUnknownKey);
  if (session->token != signature.token) refuse(service, Fault::kNoToken);
  if (session->expires <= backend.simulation.now()) refuse(service, Fault::kExpiredToken);
  return {session->secret, session->caller};
}

Key key_of(Backend& backend, const Service& service, const Signature& signature) {
  sim::iam::Account& account = *backend.iam;
  const auto* const key = account.find_access_key(signature.key_id);
  if (key == nullptr) return key_of_session(backend, service, signature);
  if (!key->is_active) refuse(service, Fault::kUnknownKey);
  return {key->secret, account.caller_of_user(key->user)};
}

// Checks the time of a signature. S3 permits 15 minutes, the other services 5 (S3 User Guide and
// IAM User Guide, "Signing AWS API requests").
void check_time(const Backend& backend, const Service& service, const Signature& signature) {
  const bool of_s3 = service.model.protocol == api::Protocol::kRestXml;
  const sim::Duration skew = std::chrono::minutes{of_s3 ? 15 : 5};
  const auto time = read_signing_time(signature.time);
  const sim::Time now = backend.simulation.now();
  if (!time || !signature.time.starts_with(signature.date)) refuse(service, Fault::kMismatch);
  const auto words = [&](std::string_view what, std::string_view relation, sim::Duration offset) {
    const std::string limit = sim::iso_seconds(now + offset);
    return fmt::format("{}: {} is now {} {} ({} {} 5 min.)", what, signature.time, relation, limit,
                       sim::iso_seconds(now), offset < sim::Duration{} ? "-" : "+");
  };
  if (*time < now - skew)
    refuse(service, Fault::kTooOld, words("Signature expired", "earlier than", -skew));
  if (*time > now + skew)
    refuse(service, Fault::kNotYet, words("Signature not yet current", "later than", skew));
}

std::string payload_hash(const Service& service, const Received& received,
                         const Signature& signature) {
  const std::string* const stated = received.http.headers.find("x-amz-content-sha256");
  const bool of_s3 = service.model.protocol == api::Protocol::kRestXml;
  if (of_s3 && stated != nullptr) return *stated;  // the S3 fake compares it with the body
  if (of_s3 && signature.by == SignedBy::kQuery) return "UNSIGNED-PAYLOAD";
  if (received.has_long_body) return "";
  return sha256_hex(received.http.body);
}

// Compares signatures. The time is the same for each wrong signature, as in AWS.
bool same(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  int difference = 0;
  for (std::size_t i = 0; i < a.size(); ++i) difference |= a[i] ^ b[i];
  return difference == 0;
}

}  // namespace

sim::iam::Caller anonymous() {
  return {.kind = sim::iam::Caller::Kind::kUser, .id = "anonymous", .arn = "anonymous"};
}

bool is_anonymous(const sim::iam::Caller& caller) { return caller.id == "anonymous"; }

sim::iam::Caller authenticate(Backend& backend, const Service& service, const Received& received,
                              Signer& signer) {
  const auto signature = read_signature(received.http);
  if (!signature) {
    const bool of_s3 = service.model.protocol == api::Protocol::kRestXml;
    const bool older = received.http.headers.find("authorization") != nullptr ||
                       received.http.query.find("AWSAccessKeyId=") != std::string::npos;
    if (of_s3 && !older) return anonymous();
    if (of_s3)
      throw ApiError("InvalidRequest",
                     "The authorization mechanism you have provided is not supported. Please use "
                     "AWS4-HMAC-SHA256.");
    refuse(service, Fault::kMismatch);
  }
  const Key key = key_of(backend, service, *signature);
  const std::string expected = signer.sign(received.http, *signature,
                                           payload_hash(service, received, *signature), key.secret);
  if (!same(expected, signature->text)) refuse(service, Fault::kMismatch);
  // A request that is signed in its query has its own time limit, which the service checks.
  if (backend.iam->deciding().clients_time && signature->by == SignedBy::kHeader)
    check_time(backend, service, *signature);
  backend.iam->use_access_key(signature->key_id, std::string(service.model.name),
                              signature->region);
  return key.caller;
}

sim::iam::Caller caller_in_process(Backend& backend, const Service& service,
                                   std::string_view name) {
  const auto instance = backend.cloud.instances().find({std::string(name)});
  if (instance == backend.cloud.instances().end())
    return backend.iam->caller_of_user(std::string(sim::iam::kOperator));
  const std::string role = role_name(backend, instance->second);
  if (role.empty()) refuse(service, Fault::kUnknownKey);
  auto caller = backend.iam->caller_of_role(role, std::string(name));
  caller.instance = name;
  caller.token_issued = instance->second.launched_at;
  return caller;
}

}  // namespace fakes::authorisation
