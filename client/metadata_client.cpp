#include "client/metadata_client.h"

#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>

#include "base/json/json_text.h"

namespace client {
namespace {

constexpr std::chrono::seconds kTokenLifetime{21'600};  // the longest that IMDS gives
constexpr Duration kTokenMargin{300'000};
// The time-out of each attempt. IMDS is one link-local hop away, but a slow service must not count
// as unavailable.
constexpr std::array<Duration, 3> kTimeouts{Duration{2'000}, Duration{10'000}, Duration{10'000}};
constexpr Duration kPatience{300'000}, kPause{10'000};

}  // namespace

std::string metadata_endpoint(const Environment& environment) {
  std::string endpoint = environment("AWS_EC2_METADATA_SERVICE_ENDPOINT");
  if (endpoint.empty()) endpoint = "http://169.254.169.254";
  while (endpoint.ends_with('/')) endpoint.pop_back();
  return endpoint;
}

MetadataClient::MetadataClient(Http& http, Clock& clock, std::string endpoint)
    : http_(http), clock_(clock), endpoint_(std::move(endpoint)) {}

void MetadataClient::renew_token(Duration timeout) {
  const Time asked = clock_.now();
  const HttpResponse response = http_.send({.method = "PUT",
                                            .url = endpoint_ + "/latest/api/token",
                                            .headers = {{"x-aws-ec2-metadata-token-ttl-seconds",
                                                         std::to_string(kTokenLifetime.count())}},
                                            .timeout = timeout});
  if (response.status != 200 || response.body.empty()) {
    throw MetadataError(
        fmt::format("PUT {}/latest/api/token: status {}", endpoint_, response.status));
  }
  token_ = response.body;
  token_ends_ = asked + kTokenLifetime;
}

std::optional<std::string> MetadataClient::get(const std::string& path) {
  std::string why;
  for (std::size_t attempt = 0; attempt < kTimeouts.size(); ++attempt) {
    if (attempt > 0) clock_.sleep(Duration{1'000} * attempt);
    const Duration timeout = kTimeouts[attempt];
    try {
      if (token_.empty() || clock_.now() + kTokenMargin > token_ends_) renew_token(timeout);
      const HttpResponse response = http_.send({.method = "GET",
                                                .url = endpoint_ + "/latest/" + path,
                                                .headers = {{"x-aws-ec2-metadata-token", token_}},
                                                .timeout = timeout});
      if (response.status == 200) return response.body;
      if (response.status == 404) return std::nullopt;
      if (response.status == 401) token_.clear();  // it ended early, say after a stop and start
      why = fmt::format("status {}", response.status);
    } catch (const TransportError& error) {
      why = error.what();
    } catch (const MetadataError& error) {
      why = error.what();
    }
  }
  throw MetadataError(fmt::format("GET {}/latest/{}: {}", endpoint_, path, why));
}

std::string MetadataClient::require(const std::string& path) {
  if (auto body = get(path)) return *body;
  throw MetadataError(fmt::format("GET {}/latest/{}: status 404", endpoint_, path));
}

std::string MetadataClient::require_patiently(const std::string& path) {
  const Time begin = clock_.now();
  for (;;) {
    try {
      return require(path);
    } catch (const MetadataError&) {
      if (!expected_ || clock_.now() - begin >= kPatience) throw;
    }
    clock_.sleep(kPause);
  }
}

Identity identify(MetadataClient& metadata) {
  const std::string path = "dynamic/instance-identity/document";
  metadata.expect_service();
  const auto document = nlohmann::json::parse(metadata.require_patiently(path), nullptr, false);
  const auto member = [&](const char* name) {
    std::string text = base::text_of(document, name);
    if (text.empty()) throw MetadataError(path + " has no text " + name);
    return text;
  };
  return {.instance_id = member("instanceId"),
          .instance_type = member("instanceType"),
          .availability_zone = member("availabilityZone"),
          .region = member("region")};
}

}  // namespace client
