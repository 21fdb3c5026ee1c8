// Uploads by an HTML form (S3 API reference, "POST Object"), as boto3's generate_presigned_post()
// prepares them.
#pragma once

#include "fakes/service.h"

namespace fakes::s3 {

// Whether a request is one: POST of multipart/form-data to a bucket.
bool is_form_upload(const api::HttpRequest& request);

// Makes a PutObject of it, whose headers are the form's fields, and sets the status that the form
// asks for. Throws ApiError: MalformedPOSTRequest; InvalidArgument without a key or a file;
// AccessDenied where there is no policy, where it has expired, or where the form breaks one of its
// conditions; EntityTooSmall and EntityTooLarge by its content-length-range.
void make_put_object(const Incoming& request);

}  // namespace fakes::s3
