#include "client/credentials.h"

#include <nlohmann/json.hpp>

#include "base/json_text.h"

namespace client {
namespace {

constexpr Duration kRefreshMargin{300'000};

using base::text_of;

}  // namespace

AwsCredentials Credentials::get() {
  const AwsCredentials set{environment_("AWS_ACCESS_KEY_ID"), environment_("AWS_SECRET_ACCESS_KEY"),
                           environment_("AWS_SESSION_TOKEN")};
  if (!set.access_key_id.empty() && !set.secret_access_key.empty()) return set;
  if (environment_("AWS_EC2_METADATA_DISABLED") == "true") {
    throw NoCredentials(
        "no credentials: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not set, and "
        "AWS_EC2_METADATA_DISABLED forbids to ask for the instance's role");
  }
  if (role_ && clock_.now() + kRefreshMargin < role_expires_) return *role_;
  try {
    role_ = from_role();
  } catch (const MetadataError& error) {
    if (!role_ || clock_.now() >= role_expires_) {
      throw NoCredentials(std::string("no credentials: not in the environment, and not from the "
                                      "instance's role: ") +
                          error.what());
    }
  }
  return *role_;
}

AwsCredentials Credentials::from_role() {
  const std::string path = "meta-data/iam/security-credentials/";
  // There is time as long as the last ones are good.
  const auto ask = [this](const std::string& what) {
    return role_ && clock_.now() < role_expires_ ? imds_.require(what)
                                                 : imds_.require_patiently(what);
  };
  std::string role = ask(path);
  role = role.substr(0, role.find('\n'));
  const auto document = nlohmann::json::parse(ask(path + role), nullptr, false);
  const AwsCredentials found{text_of(document, "AccessKeyId"), text_of(document, "SecretAccessKey"),
                             text_of(document, "Token")};
  const auto expires = parse_iso_time(text_of(document, "Expiration"));
  if (found.access_key_id.empty() || found.secret_access_key.empty() || !expires) {
    throw MetadataError(path + role + ": not a role's credentials");
  }
  role_expires_ = *expires;
  return found;
}

}  // namespace client
