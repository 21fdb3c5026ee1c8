// The form of an upload by an HTML page (S3 API reference, "POST Object").
#pragma once

#include <map>
#include <optional>
#include <string>

#include "api/http.h"
#include "sim/objects/body.h"

namespace fakes::s3 {

struct Form {
  std::map<std::string, std::string> fields;  // by their names in lower case
  std::optional<std::string> file;
  std::string file_name;

  // Empty if the form has no such field.
  std::string field(const std::string& name) const;
};

// Whether the request is such an upload: a POST of multipart/form-data to a bucket.
bool is_form_upload(const api::HttpRequest& request);

// Parses the form. Fields after the file are ignored, as in S3. `long_body` is null if the body is
// in `request`. Throws ApiError MalformedPOSTRequest.
Form read_form(const api::HttpRequest& request, const sim::objects::Body* long_body);

}  // namespace fakes::s3
