// The instance metadata service, version 2 only: a session token by PUT goes with every read.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>

#include "client/environment.h"
#include "client/http.h"

namespace client {

// After all retries there was no answer, or a status other than 200 and 404. The message has the
// request and the answer.
struct MetadataError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// AWS_EC2_METADATA_SERVICE_ENDPOINT, else http://169.254.169.254; no slash at its end.
std::string metadata_endpoint(const Environment& environment);

class MetadataClient {
 public:
  MetadataClient(Http& http, Clock& clock, std::string endpoint);

  // The body of /latest/PATH, such as "meta-data/spot/instance-action". Empty on 404: the path has
  // no content now. Any other status is retried twice and then throws MetadataError. The first
  // attempt has 2 s, the others 10 s.
  std::optional<std::string> get(const std::string& path);
  // The same, but 404 is an error, too.
  std::string require(const std::string& path);
  // Tells the client that this machine is an instance. The client then retries necessary requests
  // for up to five minutes.
  void expect_service() { expected_ = true; }
  std::string require_patiently(const std::string& path);

 private:
  void renew_token(Duration timeout);

  Http& http_;
  Clock& clock_;
  std::string endpoint_;
  bool expected_ = false;
  std::string token_;
  Time token_ends_{};
};

// The identity of an instance in its own metadata.
struct Identity {
  std::string instance_id, instance_type, availability_zone, region;
};
// Reads the instance identity document. Throws MetadataError, also if a member is missing.
Identity identify(MetadataClient& metadata);

}  // namespace client
