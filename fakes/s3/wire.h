// Features of S3's protocol that AWS's models do not describe: buckets in the host's name,
// signatures in the query string, bodies in signed chunks.
#pragma once

#include "fakes/service.h"

namespace fakes::s3 {

// Whether a request without a credential scope is for S3. S3 is recognized by the host, by the
// older signature in the query string, or by the path, because other services have no path.
bool is_for_s3(const api::HttpRequest& request);

// The bucket in the host's name. Empty if the host is not S3's or names no bucket.
std::string bucket_in_host(const api::HttpRequest& request);

// Prepares a request for the generated parser (see Service::prepare):
// - Moves the bucket from the host's name into the path (S3 User Guide, "Virtual hosting of general
//   purpose buckets").
// - Turns an upload by a form into a PutObject (post_object.h).
// - Checks that a presigned request has not expired, and takes headers from its query string.
// - Decodes "aws-chunked" (S3 API reference, "Signature calculations for the Authorization header:
//   Transferring payload in multiple chunks").
// - Checks the body against x-amz-content-sha256. Also checks x-amz-checksum-… if no member of the
//   request takes it.
// - Checks that x-amz-expected-bucket-owner is the account.
// - If the endpoint serves all regions, checks that the bucket is in the request's region. Throws
//   PermanentRedirect otherwise (S3 User Guide, "Request routing").
//
// Throws ApiError. A request without a signature is AccessDenied.
void prepare(const Incoming& request);

// The region of the bucket in the request's path, or the cloud's region if the bucket does not
// exist.
std::string region_of_bucket(const Backend& backend, const api::HttpRequest& request);

}  // namespace fakes::s3
