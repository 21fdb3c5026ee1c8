// AWS's protocols over HTTP: sends signed requests and parses the answers.
#pragma once

#include <string>

#include "client/environment.h"
#include "client/http.h"
#include "orchestrator/aws/transport.h"

namespace spotrun::aws {

// AWS_ENDPOINT_URL_EC2, else AWS_ENDPOINT_URL, else the region's endpoint, with a slash at its end.
std::string ec2_endpoint(const std::string& region, const client::Environment& environment);

class HttpTransport : public Transport {
 public:
  HttpTransport(client::Http& http, client::Environment environment)
      : http_(http), environment_(std::move(environment)) {}
  // A status 200 with an invalid body is reported as the error "Http200" with status 0.
  Answer send(const Call& call) override;

 private:
  client::Http& http_;
  client::Environment environment_;
};

}  // namespace spotrun::aws
