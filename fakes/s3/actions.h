// The handlers of S3's actions, grouped by resource. Each takes a parsed request and returns the
// response's struct; s3.cpp has the table that maps actions to handlers. The objects themselves are
// in sim/objects. Handlers throw ApiError with S3's error code.
#pragma once

#include "api/s3.h"
#include "fakes/action.h"

namespace fakes::s3 {

namespace op = api::s3::op;

// ---- buckets.cpp
op::CreateBucket::Response create_bucket(Call&, const op::CreateBucket::Request&);
op::DeleteBucket::Response delete_bucket(Call&, const op::DeleteBucket::Request&);
op::HeadBucket::Response head_bucket(Call&, const op::HeadBucket::Request&);
op::ListBuckets::Response list_buckets(Call&, const op::ListBuckets::Request&);
op::GetBucketLocation::Response get_bucket_location(Call&, const op::GetBucketLocation::Request&);
op::GetBucketVersioning::Response get_bucket_versioning(Call&,
                                                        const op::GetBucketVersioning::Request&);
op::GetBucketAcl::Response get_bucket_acl(Call&, const op::GetBucketAcl::Request&);
op::GetObjectAcl::Response get_object_acl(Call&, const op::GetObjectAcl::Request&);
op::PutBucketAcl::Response put_bucket_acl(Call&, const op::PutBucketAcl::Request&);

// ---- lifecycle.cpp
op::PutBucketLifecycleConfiguration::Response put_lifecycle(
    Call&, const op::PutBucketLifecycleConfiguration::Request&);
op::GetBucketLifecycleConfiguration::Response get_lifecycle(
    Call&, const op::GetBucketLifecycleConfiguration::Request&);
op::DeleteBucketLifecycle::Response delete_lifecycle(Call&,
                                                     const op::DeleteBucketLifecycle::Request&);

// ---- tagging.cpp
op::GetBucketTagging::Response get_bucket_tagging(Call&, const op::GetBucketTagging::Request&);
op::PutBucketTagging::Response put_bucket_tagging(Call&, const op::PutBucketTagging::Request&);
op::DeleteBucketTagging::Response delete_bucket_tagging(Call&,
                                                        const op::DeleteBucketTagging::Request&);
op::GetObjectTagging::Response get_object_tagging(Call&, const op::GetObjectTagging::Request&);
op::PutObjectTagging::Response put_object_tagging(Call&, const op::PutObjectTagging::Request&);
op::DeleteObjectTagging::Response delete_object_tagging(Call&,
                                                        const op::DeleteObjectTagging::Request&);

// ---- lists.cpp
op::ListObjects::Response list_objects(Call&, const op::ListObjects::Request&);
op::ListObjectsV2::Response list_objects_v2(Call&, const op::ListObjectsV2::Request&);

// ---- objects.cpp
op::PutObject::Response put_object(Call&, const op::PutObject::Request&);
op::DeleteObject::Response delete_object(Call&, const op::DeleteObject::Request&);
op::DeleteObjects::Response delete_objects(Call&, const op::DeleteObjects::Request&);
op::CopyObject::Response copy_object(Call&, const op::CopyObject::Request&);

// ---- reading.cpp
op::GetObject::Response get_object(Call&, const op::GetObject::Request&);
op::HeadObject::Response head_object(Call&, const op::HeadObject::Request&);
op::GetObjectAttributes::Response get_object_attributes(Call&,
                                                        const op::GetObjectAttributes::Request&);

// ---- multipart.cpp
op::CreateMultipartUpload::Response create_multipart_upload(
    Call&, const op::CreateMultipartUpload::Request&);
op::UploadPart::Response upload_part(Call&, const op::UploadPart::Request&);
op::UploadPartCopy::Response upload_part_copy(Call&, const op::UploadPartCopy::Request&);
op::CompleteMultipartUpload::Response complete_multipart_upload(
    Call&, const op::CompleteMultipartUpload::Request&);
op::AbortMultipartUpload::Response abort_multipart_upload(Call&,
                                                          const op::AbortMultipartUpload::Request&);
op::ListParts::Response list_parts(Call&, const op::ListParts::Request&);
op::ListMultipartUploads::Response list_multipart_uploads(Call&,
                                                          const op::ListMultipartUploads::Request&);

}  // namespace fakes::s3
