#include "fakes/authorisation/authentication.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "fakes/authorisation/chunk_signatures.h"
#include "fakes/authorisation/older_signature.h"
#include "fakes/iam_names.h"
#include "fakes/regions.h"
#include "fakes/s3/post_form.h"
#include "fakes/s3/wire.h"

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

bool is_s3(const Service& service) { return service.model.protocol == api::Protocol::kRestXml; }

[[noreturn]] void refuse(const Service& service, Fault fault, const std::string& message = "") {
  const auto refuse_as = [&](const auto& rows) {
    const FaultRow& row = *std::ranges::find(rows, fault, &FaultRow::fault);
    throw ApiError(std::string(row.code), row.message.empty() ? message : std::string(row.message),
                   row.status);
  };
  if (service.model.protocol == api::Protocol::kEc2) refuse_as(kEc2);
  if (is_s3(service)) refuse_as(kS3);
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
  // Sessions that a user opened without a device for MFA cannot call IAM (IAM User Guide, "Compare
  // AWS STS credentials").
  if (session->caller.kind != sim::iam::Caller::Kind::kRole && service.model.name == "iam")
    refuse(service, Fault::kNoToken);
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
// IAM User Guide, "Signing AWS API requests"). Presigned requests to other services also have 15
// minutes, whatever their X-Amz-Expires (as EKS's tokens for STS). S3 itself checks how long its
// presigned URLs are valid.
void check_time(const Backend& backend, const Service& service, const Signature& signature) {
  const bool of_s3 = is_s3(service), in_query = signature.by == SignedBy::kQuery;
  const int minutes = of_s3 || in_query ? 15 : 5;
  const sim::Duration skew = std::chrono::minutes{minutes};
  const auto time = read_signing_time(signature.time);
  const sim::Time now = backend.simulation.now();
  if (!time || !signature.time.starts_with(signature.date)) refuse(service, Fault::kMismatch);
  const auto words = [&](std::string_view what, std::string_view relation, sim::Duration offset) {
    const std::string limit = sim::iso_seconds(now + offset);
    return fmt::format("{}: {} is now {} {} ({} {} {} min.)", what, signature.time, relation, limit,
                       sim::iso_seconds(now), offset < sim::Duration{} ? "-" : "+", minutes);
  };
  if (*time < now - skew && !(of_s3 && in_query))
    refuse(service, Fault::kTooOld, words("Signature expired", "earlier than", -skew));
  if (*time > now + skew && of_s3 && in_query)
    throw ApiError("AccessDenied", "Request is not yet valid", 403);
  if (*time > now + skew)
    refuse(service, Fault::kNotYet, words("Signature not yet current", "later than", skew));
}

std::string payload_hash(const Service& service, const Received& received,
                         const Signature& signature) {
  const std::string* const stated = received.http.headers.find("x-amz-content-sha256");
  const bool of_s3 = is_s3(service);
  if (of_s3 && stated != nullptr) return *stated;  // the S3 fake compares it with the body
  if (of_s3 && signature.by == SignedBy::kQuery) return "UNSIGNED-PAYLOAD";
  if (received.long_body != nullptr) return "";
  return sha256_hex(received.http.body);
}

// ---- S3's other signatures

sim::iam::Caller use(Backend& backend, const Service& service, const Signature& signature,
                     const Key& key) {
  backend.iam->use_access_key(signature.key_id, std::string(service.model.name), signature.region);
  return key.caller;
}

sim::iam::Caller authenticate_older(Backend& backend, const Service& service,
                                    const OlderSignature& older) {
  const Signature signature{.by = SignedBy::kQuery,
                            .key_id = older.key_id,
                            .region = backend.cloud.config().region,
                            .token = older.token};
  const Key key = key_of(backend, service, signature);
  if (!same_signature(sign_older(older.to_sign, key.secret), older.text))
    refuse(service, Fault::kMismatch);
  return use(backend, service, signature, key);
}

// The signature in a form's fields, which is that of its policy (S3 API reference, "Authenticating
// requests in browser-based uploads using POST"). Empty if the form has none.
std::optional<Signature> signature_of_form(const s3::Form& form) {
  if (form.field("x-amz-credential").empty()) return {};
  Signature signature{.text = form.field("x-amz-signature"),
                      .time = form.field("x-amz-date"),
                      .token = form.field("x-amz-security-token")};
  read_credential(form.field("x-amz-credential"), signature);
  return signature;
}

sim::iam::Caller authenticate_form(Backend& backend, const Service& service,
                                   const Received& received, Signer& signer) {
  const s3::Form form = s3::read_form(received.http, received.long_body);
  if (const auto older = read_older_signature(form.fields))
    return authenticate_older(backend, service, *older);
  const auto signature = signature_of_form(form);
  if (!signature) return anonymous();
  const Key key = key_of(backend, service, *signature);
  if (!same_signature(signer.sign_text(form.field("policy"), *signature, key.secret),
                      signature->text))
    refuse(service, Fault::kMismatch);
  return use(backend, service, *signature, key);
}

// The caller of a request without a signature of version 4.
sim::iam::Caller authenticate_otherwise(Backend& backend, const Service& service,
                                        const Received& received, Signer& signer) {
  if (!is_s3(service)) refuse(service, Fault::kMismatch);
  if (received.http.headers.find("authorization") != nullptr)
    throw ApiError("InvalidRequest",
                   "The authorization mechanism you have provided is not supported. Please use "
                   "AWS4-HMAC-SHA256.");
  if (s3::is_form_upload(received.http))
    return authenticate_form(backend, service, received, signer);
  const auto older = read_older_signature(received.http, s3::bucket_in_host(received.http));
  return older ? authenticate_older(backend, service, *older) : anonymous();
}

}  // namespace

sim::iam::Caller anonymous() {
  return {.kind = sim::iam::Caller::Kind::kUser, .id = "anonymous", .arn = "anonymous"};
}

bool is_anonymous(const sim::iam::Caller& caller) { return caller.id == "anonymous"; }

sim::iam::Caller authenticate(Backend& backend, const Service& service, const Received& received,
                              Signer& signer) {
  const auto signature = read_signature(received.http);
  if (!signature) return authenticate_otherwise(backend, service, received, signer);
  const Key key = key_of(backend, service, *signature);
  const std::string expected = signer.sign(received.http, *signature,
                                           payload_hash(service, received, *signature), key.secret);
  if (!same_signature(expected, signature->text)) refuse(service, Fault::kMismatch);
  if (backend.iam->deciding().clients_time) check_time(backend, service, *signature);
  if (is_s3(service) && has_signed_chunks(received.http) &&
      !are_chunks_signed(received, *signature, signer, key.secret))
    refuse(service, Fault::kMismatch);
  return use(backend, service, *signature, key);
}

sim::iam::Caller caller_in_process(Backend& backend, const Service& service,
                                   std::string_view name) {
  const sim::cloud::InstanceId id{std::string(name)};
  const auto& instances = region_with(backend, id).cloud.instances();
  const auto instance = instances.find(id);
  if (instance == instances.end())
    return backend.iam->caller_of_user(std::string(sim::iam::kOperator));
  const std::string role = role_name(backend, instance->second);
  if (role.empty()) refuse(service, Fault::kUnknownKey);
  backend.iam->use_role(role, backend.cloud.config().region);
  auto caller = backend.iam->caller_of_role(role, std::string(name));
  caller.instance = name;
  caller.token_issued = instance->second.launched_at;
  return caller;
}

}  // namespace fakes::authorisation
