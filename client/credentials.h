// Where requests' credentials come from: the environment, else the instance's role.
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
  Credentials(MetadataClient& imds, Clock& clock, Environment environment)
      : imds_(imds), clock_(clock), environment_(std::move(environment)) {}

  // AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN when the first two are set, else
  // the role's from IMDS, unless AWS_EC2_METADATA_DISABLED is "true". A role's are kept until five
  // minutes before they expire; when IMDS fails then, they are used to their end. Throws
  // NoCredentials.
  AwsCredentials get();
  // AWS says that they have expired: a role's are asked for anew.
  void forget() { role_.reset(); }

 private:
  AwsCredentials from_role();

  MetadataClient& imds_;
  Clock& clock_;
  Environment environment_;
  std::optional<AwsCredentials> role_;
  Time role_expires_{};
};

}  // namespace client
