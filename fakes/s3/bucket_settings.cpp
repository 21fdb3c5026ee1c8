#include "fakes/s3/bucket_settings.h"

#include <nlohmann/json.hpp>

namespace fakes::s3 {
namespace {

using sim::cloud::ApiError;

constexpr const char* kEnforced = "BucketOwnerEnforced";

// The setting's value. Throws S3's error if the bucket does not have this setting.
template <class Value>
const Value& existing(const api::Opt<Value>& setting, const std::string& bucket, const char* code,
                      const char* message) {
  if (!setting) throw ApiError(code, message, 404).with("BucketName", bucket);
  return *setting;
}

}  // namespace

BucketSettings::BucketSettings()
    : public_access{{.block_public_acls = true,
                     .block_public_policy = true,
                     .ignore_public_acls = true,
                     .restrict_public_buckets = true}},
      ownership{{.rules = {{.object_ownership = kEnforced}}}} {}

BucketSettings& settings_of(Call& call, const std::string& bucket) {
  call.backend.objects.bucket(bucket);
  auto& settings = call.backend.bucket_settings[bucket];
  if (!settings) settings = std::make_shared<BucketSettings>();
  return *settings;
}

bool enforces_ownership(const BucketSettings& settings) {
  return settings.ownership && !settings.ownership->rules.empty() &&
         settings.ownership->rules.front().object_ownership == kEnforced;
}

op::PutBucketPolicy::Response put_policy(Call& call, const op::PutBucketPolicy::Request& request) {
  const std::string policy = request.policy.value_or("");
  if (!policy.starts_with('{') || !nlohmann::json::accept(policy))
    throw ApiError("MalformedPolicy", "Policies must be valid JSON and the first byte must be '{'");
  auto& settings = settings_of(call, request.bucket.value());
  if (!call.backend.iam->invalid_principal(policy).empty())
    throw ApiError("MalformedPolicy", "Invalid principal in policy");
  settings.policy = policy;
  call.status = 204;  // S3 API reference, "PutBucketPolicy"
  return {};
}

op::GetBucketPolicy::Response get_policy(Call& call, const op::GetBucketPolicy::Request& request) {
  const std::string& bucket = request.bucket.value();
  return {.policy = existing(settings_of(call, bucket).policy, bucket, "NoSuchBucketPolicy",
                             "The bucket policy does not exist")};
}

op::GetBucketCors::Response get_cors(Call& call, const op::GetBucketCors::Request& request) {
  const std::string& bucket = request.bucket.value();
  return {.cors_rules = existing(settings_of(call, bucket).cors, bucket, "NoSuchCORSConfiguration",
                                 "The CORS configuration does not exist")
                            .cors_rules};
}

op::GetBucketWebsite::Response get_website(Call& call,
                                           const op::GetBucketWebsite::Request& request) {
  const std::string& bucket = request.bucket.value();
  const aws::WebsiteConfiguration& website =
      existing(settings_of(call, bucket).website, bucket, "NoSuchWebsiteConfiguration",
               "The specified bucket does not have a website configuration");
  return {.error_document = website.error_document,
          .index_document = website.index_document,
          .redirect_all_requests_to = website.redirect_all_requests_to,
          .routing_rules = website.routing_rules};
}

// Since January 2023 S3 encrypts every new object (S3 User Guide, "Setting default server-side
// encryption behavior for Amazon S3 buckets").
op::GetBucketEncryption::Response get_encryption(Call& call,
                                                 const op::GetBucketEncryption::Request& request) {
  const BucketSettings& settings = settings_of(call, request.bucket.value());
  if (settings.encryption) return {.server_side_encryption_configuration = settings.encryption};
  aws::ServerSideEncryptionRule rule{.bucket_key_enabled = false};
  rule.apply_server_side_encryption_by_default.emplace().sse_algorithm = "AES256";
  return {.server_side_encryption_configuration = {{.rules = {rule}}}};
}

op::GetPublicAccessBlock::Response get_public_access(
    Call& call, const op::GetPublicAccessBlock::Request& request) {
  const std::string& bucket = request.bucket.value();
  return {.public_access_block_configuration =
              existing(settings_of(call, bucket).public_access, bucket,
                       "NoSuchPublicAccessBlockConfiguration",
                       "The public access block configuration was not found")};
}

op::GetBucketOwnershipControls::Response get_ownership(
    Call& call, const op::GetBucketOwnershipControls::Request& request) {
  const std::string& bucket = request.bucket.value();
  return {.ownership_controls = existing(settings_of(call, bucket).ownership, bucket,
                                         "OwnershipControlsNotFoundError",
                                         "The bucket ownership controls were not found")};
}

op::GetBucketReplication::Response get_replication(
    Call& call, const op::GetBucketReplication::Request& request) {
  call.backend.objects.bucket(request.bucket.value());
  throw ApiError("ReplicationConfigurationNotFoundError",
                 "The replication configuration was not found", 404)
      .with("BucketName", request.bucket.value());
}

op::GetObjectLockConfiguration::Response get_object_lock(
    Call& call, const op::GetObjectLockConfiguration::Request& request) {
  call.backend.objects.bucket(request.bucket.value());
  throw ApiError("ObjectLockConfigurationNotFoundError",
                 "Object Lock configuration does not exist for this bucket", 404)
      .with("BucketName", request.bucket.value());
}

op::GetBucketNotificationConfiguration::Response get_notification(
    Call& call, const op::GetBucketNotificationConfiguration::Request& request) {
  call.backend.objects.bucket(request.bucket.value());
  return {};
}

op::GetBucketLogging::Response get_logging(Call& call,
                                           const op::GetBucketLogging::Request& request) {
  call.backend.objects.bucket(request.bucket.value());
  return {};
}

op::GetBucketRequestPayment::Response get_request_payment(
    Call& call, const op::GetBucketRequestPayment::Request& request) {
  call.backend.objects.bucket(request.bucket.value());
  return {.payer = "BucketOwner"};
}

op::GetBucketAccelerateConfiguration::Response get_acceleration(
    Call& call, const op::GetBucketAccelerateConfiguration::Request& request) {
  call.backend.objects.bucket(request.bucket.value());
  return {};
}

}  // namespace fakes::s3
