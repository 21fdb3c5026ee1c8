#include "client/credentials.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "base/json/json_text.h"

namespace client {
namespace {

constexpr Duration kRefreshMargin{300'000};

constexpr Duration kContainerTimeout{2'000};  // a link-local hop away, too
constexpr int kContainerAttempts = 3;

using base::text_of;

// The URL of a container's credentials; empty if this is not a container.
std::string container_url(const Environment& environment) {
  const std::string relative = environment("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI");
  if (!relative.empty()) return "http://169.254.170.2" + relative;
  return environment("AWS_CONTAINER_CREDENTIALS_FULL_URI");
}

}  // namespace

AwsCredentials Credentials::get() {
  const AwsCredentials set{environment_("AWS_ACCESS_KEY_ID"), environment_("AWS_SECRET_ACCESS_KEY"),
                           environment_("AWS_SESSION_TOKEN")};
  if (!set.access_key_id.empty() && !set.secret_access_key.empty()) return set;
  const bool in_container = !container_url(environment_).empty();
  if (!in_container && environment_("AWS_EC2_METADATA_DISABLED") == "true") {
    throw NoCredentials(
        "no credentials: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not set, and "
        "AWS_EC2_METADATA_DISABLED forbids to ask for the instance's role");
  }
  if (role_ && clock_.now() + kRefreshMargin < role_expires_) return *role_;
  try {
    role_ = from_role();
  } catch (const MetadataError& error) {
    if (!role_ || clock_.now() >= role_expires_) {
      throw NoCredentials(
          fmt::format("no credentials: not in the environment, and not from the {}'s role: {}",
                      in_container ? "container" : "instance", error.what()));
    }
  }
  return *role_;
}

// Renewal can wait while the present credentials are valid.
bool Credentials::still_good() const { return role_ && clock_.now() < role_expires_; }

std::string Credentials::document_of_container() {
  HttpRequest request{
      .method = "GET", .url = container_url(environment_), .timeout = kContainerTimeout};
  const std::string token = environment_("AWS_CONTAINER_AUTHORIZATION_TOKEN");
  if (!token.empty()) request.headers.emplace_back("authorization", token);
  std::string why;
  for (int attempt = 0; attempt < kContainerAttempts; ++attempt) {
    if (attempt > 0) clock_.sleep(Duration{1'000} * attempt);
    try {
      HttpResponse response = http_.send(request);
      if (response.status == 200) return std::move(response.body);
      why = fmt::format("status {}", response.status);
    } catch (const TransportError& error) {
      why = error.what();
    }
  }
  throw MetadataError(fmt::format("GET {}: {}", request.url, why));
}

std::string Credentials::document_of_role() {
  const std::string path = "meta-data/iam/security-credentials/";
  const auto ask = [this](const std::string& what) {
    return still_good() ? imds_.require(what) : imds_.require_patiently(what);
  };
  const std::string roles = ask(path);
  return ask(path + roles.substr(0, roles.find('\n')));
}

AwsCredentials Credentials::from_role() {
  const bool in_container = !container_url(environment_).empty();
  const auto document = nlohmann::json::parse(
      in_container ? document_of_container() : document_of_role(), nullptr, false);
  const AwsCredentials found{text_of(document, "AccessKeyId"), text_of(document, "SecretAccessKey"),
                             text_of(document, "Token")};
  const auto expires = parse_iso_time(text_of(document, "Expiration"));
  if (found.access_key_id.empty() || found.secret_access_key.empty() || !expires)
    throw MetadataError("found a document that has no role's credentials");
  role_expires_ = *expires;
  return found;
}

}  // namespace client
