// What a service answers instead of a response, in the words of its protocol.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/http.h"
#include "api/refusal.h"
#include "api/table.h"

namespace api {

struct Error {
  std::string code, message;
  int status = 400;
  // Elements beside them, which only S3 has: {"BucketName", "data"}.
  std::vector<std::pair<std::string, std::string>> details = {};
};

// The error for a refused request in the service's words: EC2's (EC2 API reference, "Error codes"),
// or those of AWS's common validation ("1 validation error detected: …").
Error error_of(const Service& service, const Refusal& refusal);

// The header that carries a request's ID in every answer.
std::string_view request_id_header(const Service& service);
// Adds the request's ID. For S3 also the header x-amz-id-2, which errors repeat as <HostId>.
void add_request_id(HttpResponse& response, const Service& service, const std::string& request_id);

HttpResponse write_error(const Service& service, const Error& error, const std::string& request_id);
// For clients: code and message of a response with an error; the code is empty if the body has
// none.
Error read_error(const Service& service, const HttpResponse& response);

}  // namespace api
