#include "fakes/s3/actions.h"
#include "fakes/s3/bucket_settings.h"
#include "fakes/s3/wire.h"
#include "fakes/service.h"

namespace fakes {
namespace {

// S3 pricing, "Requests & data retrievals": DELETE and CANCEL are free.
void count(Backend& backend, std::string_view action, const api::HttpRequest& request) {
  if (action.starts_with("Delete") || action.starts_with("Abort")) return;
  // "/BUCKET/KEY" since prepare()
  const std::size_t end = request.path.find('/', 1);
  const std::string bucket = request.path.empty() ? "" : request.path.substr(1, end - 1);
  if (action.starts_with("Get") || action.starts_with("Head"))
    backend.objects.count_read(bucket);
  else
    backend.objects.count_write(bucket);
}

}  // namespace

const Service& s3_service() {
  using namespace s3;
  static const ActionRow rows[] = {
      action<op::AbortMultipartUpload, abort_multipart_upload>(),
      action<op::CompleteMultipartUpload, complete_multipart_upload>(),
      action<op::CopyObject, copy_object>(),
      action<op::CreateBucket, create_bucket>(),
      action<op::CreateMultipartUpload, create_multipart_upload>(),
      action<op::DeleteBucket, delete_bucket>(),
      action<op::DeleteBucketLifecycle, delete_lifecycle>(),
      action<op::DeleteBucketTagging, delete_bucket_tagging>(),
      action<op::DeleteObject, delete_object>(),
      action<op::DeleteObjectTagging, delete_object_tagging>(),
      action<op::DeleteObjects, delete_objects>(),
      action<op::GetBucketAcl, get_bucket_acl>(),
      action<op::GetBucketLifecycleConfiguration, get_lifecycle>(),
      action<op::GetBucketLocation, get_bucket_location>(),
      action<op::GetBucketTagging, get_bucket_tagging>(),
      action<op::GetBucketVersioning, get_bucket_versioning>(),
      action<op::GetObject, get_object>(),
      action<op::GetObjectAcl, get_object_acl>(),
      action<op::GetObjectAttributes, get_object_attributes>(),
      action<op::GetObjectTagging, get_object_tagging>(),
      action<op::HeadBucket, head_bucket>(),
      action<op::HeadObject, head_object>(),
      action<op::ListBuckets, list_buckets>(),
      action<op::ListMultipartUploads, list_multipart_uploads>(),
      action<op::ListObjects, list_objects>(),
      action<op::ListObjectsV2, list_objects_v2>(),
      action<op::ListParts, list_parts>(),
      action<op::PutBucketAcl, put_bucket_acl>(),
      action<op::PutBucketLifecycleConfiguration, put_lifecycle>(),
      action<op::PutBucketTagging, put_bucket_tagging>(),
      action<op::PutObject, put_object>(),
      action<op::PutObjectTagging, put_object_tagging>(),
      action<op::UploadPart, upload_part>(),
      action<op::UploadPartCopy, upload_part_copy>(),
      // ---- settings of a bucket
      action<op::DeleteBucketCors, delete_setting<op::DeleteBucketCors, &BucketSettings::cors>>(),
      action<op::DeleteBucketEncryption,
             delete_setting<op::DeleteBucketEncryption, &BucketSettings::encryption>>(),
      action<op::DeleteBucketOwnershipControls,
             delete_setting<op::DeleteBucketOwnershipControls, &BucketSettings::ownership>>(),
      action<op::DeleteBucketPolicy,
             delete_setting<op::DeleteBucketPolicy, &BucketSettings::policy>>(),
      action<op::DeleteBucketWebsite,
             delete_setting<op::DeleteBucketWebsite, &BucketSettings::website>>(),
      action<op::DeletePublicAccessBlock,
             delete_setting<op::DeletePublicAccessBlock, &BucketSettings::public_access>>(),
      action<op::GetBucketAccelerateConfiguration, get_acceleration>(),
      action<op::GetBucketCors, get_cors>(),
      action<op::GetBucketEncryption, get_encryption>(),
      action<op::GetBucketLogging, get_logging>(),
      action<op::GetBucketNotificationConfiguration, get_notification>(),
      action<op::GetBucketOwnershipControls, get_ownership>(),
      action<op::GetBucketPolicy, get_policy>(),
      action<op::GetBucketReplication, get_replication>(),
      action<op::GetBucketRequestPayment, get_request_payment>(),
      action<op::GetBucketWebsite, get_website>(),
      action<op::GetObjectLockConfiguration, get_object_lock>(),
      action<op::GetPublicAccessBlock, get_public_access>(),
      action<op::PutBucketCors, put_setting<op::PutBucketCors, &BucketSettings::cors,
                                            &op::PutBucketCors::Request::cors_configuration>>(),
      action<
          op::PutBucketEncryption,
          put_setting<op::PutBucketEncryption, &BucketSettings::encryption,
                      &op::PutBucketEncryption::Request::server_side_encryption_configuration>>(),
      action<op::PutBucketOwnershipControls,
             put_setting<op::PutBucketOwnershipControls, &BucketSettings::ownership,
                         &op::PutBucketOwnershipControls::Request::ownership_controls>>(),
      action<op::PutBucketPolicy, put_policy>(),
      action<op::PutBucketWebsite,
             put_setting<op::PutBucketWebsite, &BucketSettings::website,
                         &op::PutBucketWebsite::Request::website_configuration>>(),
      action<op::PutPublicAccessBlock,
             put_setting<op::PutPublicAccessBlock, &BucketSettings::public_access,
                         &op::PutPublicAccessBlock::Request::public_access_block_configuration>>(),
  };
  static const Service service{
      .model = api::s3::kService,
      .actions = rows,
      .prepare = prepare,
      .count = count,
      .latency = [](const Backend& backend) { return backend.latencies.s3; }};
  return service;
}

}  // namespace fakes
