// Uploads by an HTML form (S3 API reference, "POST Object"), as boto3's generate_presigned_post()
// prepares them.
#pragma once

#include "fakes/service.h"

namespace fakes::s3 {

// Turns the request into a PutObject whose headers are the form's fields, and sets the status that
// the form asks for. Throws ApiError:
// - MalformedPOSTRequest
// - InvalidArgument if the key or the file is missing
// - AccessDenied if the policy is missing or has expired, or if the form breaks a condition
// - EntityTooSmall or EntityTooLarge if the size is outside of the policy's content-length-range
void make_put_object(const Incoming& request);

}  // namespace fakes::s3
