// What S3 says on the wire, and AWS's models do not: buckets in the host's name, signatures in the
// query string, bodies in signed chunks.
#pragma once

#include "fakes/service.h"

namespace fakes::s3 {

// Whether a request without a credential scope is for S3: by its host, by the older signature in
// its query string, or by its path, which no other service has.
bool is_for_s3(const api::HttpRequest& request);

// As Service::prepare:
// - the bucket goes from the host's name into the path (S3 User Guide, "Virtual hosting of general
//   purpose buckets")
// - an upload by a form becomes a PutObject (post_object.h)
// - a presigned request must not have expired, and headers in its query string become headers
// - "aws-chunked" is undone (S3 API reference, "Signature calculations for the Authorization
// header:
//   Transferring payload in multiple chunks")
// - the body must be what x-amz-content-sha256 says and, where no member takes it, x-amz-checksum-…
// - x-amz-expected-bucket-owner must be the account
// - where the endpoint serves all regions, the bucket must be in the request's region, or else
//   PermanentRedirect (S3 User Guide, "Request routing")
// Throws ApiError: AccessDenied also for who comes without a signature.
void prepare(const Incoming& request);

// The region of the bucket in the request's path. Where there is no such bucket: the cloud's own.
std::string region_of_bucket(const Backend& backend, const api::HttpRequest& request);

}  // namespace fakes::s3
