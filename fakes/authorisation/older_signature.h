// Signature version 2 of S3's presigned URLs and forms, which boto3 makes by default (Amazon S3
// REST API, "Signing and authenticating REST requests (AWS signature version 2)").
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "api/http.h"

namespace fakes::authorisation {

struct OlderSignature {
  std::string key_id, token;
  std::string to_sign;  // the text that is signed
  std::string text;     // in base64
};

// Reads the signature of a presigned URL, which has AWSAccessKeyId, Expires and Signature in its
// query. Empty for other requests. `bucket` is the bucket in the host's name, or empty.
std::optional<OlderSignature> read_older_signature(const api::HttpRequest& request,
                                                   std::string_view bucket);
// Reads the signature of a form from its fields. Empty if the form has none of version 2.
std::optional<OlderSignature> read_older_signature(
    const std::map<std::string, std::string>& fields);

// The base64 of the text's HMAC-SHA1.
std::string sign_older(std::string_view text, std::string_view secret);

}  // namespace fakes::authorisation
