// The error that a service answers instead of a response, in the format of its protocol.
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
  // Further elements, which only S3 has, such as {"BucketName", "data"}.
  std::vector<std::pair<std::string, std::string>> details = {};
};

// The error for a refused request, with the service's code and message: EC2's (EC2 API reference,
// "Error codes"), or those of AWS's common validation ("1 validation error detected: …").
Error error_of(const Service& service, const Refusal& refusal);

// The header that carries a request's ID in every answer.
std::string_view request_id_header(const Service& service);
// Adds the request's ID to a response. For S3 it also adds the header x-amz-id-2, which errors
// repeat as <HostId>.
void add_request_id(HttpResponse& response, const Service& service, const std::string& request_id);

HttpResponse write_error(const Service& service, const Error& error, const std::string& request_id);
// For clients: reads code and message of an error response. The code is empty if the body has none.
Error read_error(const Service& service, const HttpResponse& response);

}  // namespace api
