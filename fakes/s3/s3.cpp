#include "fakes/s3/actions.h"
#include "fakes/s3/wire.h"
#include "fakes/service.h"

namespace fakes {
namespace {

// S3 pricing, "Requests & data retrievals": DELETE and CANCEL are free.
void count(Backend& backend, std::string_view action) {
  if (action.starts_with("Delete") || action.starts_with("Abort")) return;
  if (action.starts_with("Get") || action.starts_with("Head"))
    backend.objects.count_read();
  else
    backend.objects.count_write();
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
