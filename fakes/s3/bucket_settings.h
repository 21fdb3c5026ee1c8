// The settings of a bucket, except for its tags and its lifecycle. The policy has an effect if IAM
// decides. The simulator stores and returns the other settings, but they have no effect: no website
// is served, no bytes are encrypted.
#pragma once

#include "api/s3.h"
#include "fakes/action.h"

namespace fakes::s3 {

namespace aws = api::s3;
namespace op = api::s3::op;

struct BucketSettings {
  // Sets the defaults of buckets since April 2023 (S3 User Guide, "Default settings for new S3
  // buckets FAQ").
  BucketSettings();

  api::Opt<std::string> policy;
  api::Opt<aws::CORSConfiguration> cors;
  api::Opt<aws::WebsiteConfiguration> website;
  api::Opt<aws::ServerSideEncryptionConfiguration> encryption;  // empty: S3's own keys
  api::Opt<aws::PublicAccessBlockConfiguration> public_access;
  api::Opt<aws::OwnershipControls> ownership;
};

// Throws NoSuchBucket.
BucketSettings& settings_of(Call& call, const std::string& bucket);
// Whether the bucket's owner owns all objects, which disables access control lists.
bool enforces_ownership(const BucketSettings& settings);

// Handlers of Put… and Delete… actions. `kSetting` is the member of BucketSettings, `kGiven` the
// member of the request.
template <class Op, auto kSetting, auto kGiven>
typename Op::Response put_setting(Call& call, const typename Op::Request& request) {
  settings_of(call, request.bucket.value()).*kSetting = request.*kGiven;
  return {};
}
template <class Op, auto kSetting>
typename Op::Response delete_setting(Call& call, const typename Op::Request& request) {
  (settings_of(call, request.bucket.value()).*kSetting).reset();
  return {};
}

op::PutBucketPolicy::Response put_policy(Call&, const op::PutBucketPolicy::Request&);
op::GetBucketPolicy::Response get_policy(Call&, const op::GetBucketPolicy::Request&);
op::GetBucketCors::Response get_cors(Call&, const op::GetBucketCors::Request&);
op::GetBucketWebsite::Response get_website(Call&, const op::GetBucketWebsite::Request&);
op::GetBucketEncryption::Response get_encryption(Call&, const op::GetBucketEncryption::Request&);
op::GetPublicAccessBlock::Response get_public_access(Call&,
                                                     const op::GetPublicAccessBlock::Request&);
op::GetBucketOwnershipControls::Response get_ownership(
    Call&, const op::GetBucketOwnershipControls::Request&);

// ---- settings that buckets never have here
op::GetBucketReplication::Response get_replication(Call&, const op::GetBucketReplication::Request&);
op::GetObjectLockConfiguration::Response get_object_lock(
    Call&, const op::GetObjectLockConfiguration::Request&);
op::GetBucketNotificationConfiguration::Response get_notification(
    Call&, const op::GetBucketNotificationConfiguration::Request&);
op::GetBucketLogging::Response get_logging(Call&, const op::GetBucketLogging::Request&);
op::GetBucketRequestPayment::Response get_request_payment(
    Call&, const op::GetBucketRequestPayment::Request&);
op::GetBucketAccelerateConfiguration::Response get_acceleration(
    Call&, const op::GetBucketAccelerateConfiguration::Request&);

}  // namespace fakes::s3
