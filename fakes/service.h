// One AWS service's protocol behind the shared endpoint.
#pragma once

#include <functional>
#include <string>

#include "fakes/backend.h"
#include "fakes/http/form.h"
#include "fakes/http/http.h"

namespace fakes {

struct ServiceRequest {
  const Request& http;
  const Form& parameters;  // of query string and form-encoded body, without those of the signature
  std::string request_id;
};
struct ServiceAnswer {
  Response response;
  std::string action;
  std::string result;  // "ok" or the error code
};
// Checks, does and renders one request.
using Service = std::function<ServiceAnswer(const ServiceRequest&)>;

// The EC2 Query API, version 2016-11-15.
Service ec2_query(Backend& backend);
Response ec2_error(const sim::cloud::ApiError& error, const std::string& request_id);

}  // namespace fakes
