// The instance metadata service, version 2 only: a session token by PUT goes with every read.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>

#include "client/environment.h"
#include "client/http.h"

namespace client {

// No answer, or neither 200 nor 404, after the retries: what was asked and what came.
struct MetadataError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// AWS_EC2_METADATA_SERVICE_ENDPOINT, else http://169.254.169.254; no slash at its end.
std::string metadata_endpoint(const Environment& environment);

class MetadataClient {
 public:
  MetadataClient(Http& http, Clock& clock, std::string endpoint);

  // The body of /latest/PATH, as in "meta-data/spot/instance-action". Empty on 404: there is no
  // such thing now. Anything else is asked three times and is then an MetadataError, never an
  // answer. The first request is given 2 s, the others 10 s.
  std::optional<std::string> get(const std::string& path);
  // The same where 404 is an error too.
  std::string require(const std::string& path);
  // From here on this machine is known to be an instance: what it cannot begin without is asked
  // for again, for up to five minutes.
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

// Who an instance is, by its own metadata.
struct Identity {
  std::string instance_id, instance_type, availability_zone, region;
};
// Of the instance identity document. Throws MetadataError, also for one that lacks a member.
Identity identify(MetadataClient& metadata);

}  // namespace client
