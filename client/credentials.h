// The credentials of requests to AWS: from the environment, else from the container's or the
// instance's role.
#pragma once

#include <optional>
#include <stdexcept>

#include "client/environment.h"
#include "client/http.h"
#include "client/metadata_client.h"

namespace client {

struct NoCredentials : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Credentials {
 public:
  // `http`: to a container's service.
  Credentials(Http& http, MetadataClient& imds, Clock& clock, Environment environment)
      : http_(http), imds_(imds), clock_(clock), environment_(std::move(environment)) {}

  // AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN if the first two are set, else
  // the role's. A container's are at AWS_CONTAINER_CREDENTIALS_RELATIVE_URI or …_FULL_URI (AWS SDKs
  // and Tools Reference Guide, "Container credential provider"). An instance's come from IMDS,
  // unless AWS_EC2_METADATA_DISABLED is "true". A role's credentials are cached until five minutes
  // before they expire. If the renewal fails, the program uses the old credentials until they
  // expire. Throws NoCredentials.
  AwsCredentials get();
  // AWS reports that the credentials have expired. Credentials of a role are requested again.
  void forget() { role_.reset(); }

 private:
  AwsCredentials from_role();
  std::string document_of_role();
  std::string document_of_container();
  bool still_good() const;

  Http& http_;
  MetadataClient& imds_;
  Clock& clock_;
  Environment environment_;
  std::optional<AwsCredentials> role_;
  Time role_expires_{};
};

}  // namespace client
