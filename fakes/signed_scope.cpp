#include "fakes/signed_scope.h"

#include <fmt/format.h>

#include <algorithm>

#include "api/form.h"
#include "api/protocol.h"
#include "api/refusal.h"
#include "fakes/backend.h"
#include "fakes/front.h"
#include "fakes/http/printable.h"
#include "fakes/http_messages.h"
#include "fakes/s3/wire.h"
#include "fakes/sns/links.h"
#include "fakes/sts/web_identity.h"
#include "sim/cloud/error.h"

namespace fakes {
namespace {

using sim::cloud::ApiError;

constexpr std::string_view kAlgorithm = "AWS4-HMAC-SHA256";
// Signature version 2 names neither region nor service, so the endpoint determines them. S3's
// requests have it in the header "AWS KEY:SIGNATURE", other requests among the parameters.
constexpr std::string_view kOlderS3 = "AWS ";

// Reads ACCESS_KEY/date/REGION/SERVICE/aws4_request.
SignedScope parse_scope(std::string_view credential) {
  std::string_view parts[5];
  std::size_t n = 0;
  for (;; ++n) {
    const auto slash = credential.find('/');
    if (n == 5) break;
    parts[n] = credential.substr(0, slash);
    if (slash == std::string_view::npos) break;
    credential.remove_prefix(slash + 1);
  }
  if (n != 4 || parts[4] != "aws4_request" || parts[0].empty() || parts[3].empty()) {
    throw ApiError("IncompleteSignature",
                   "Credential must have exactly 5 slash-delimited elements, e.g. "
                   "keyid/date/region/service/term");
  }
  return {percent_encode_unprintable(parts[2]), percent_encode_unprintable(parts[3])};
}

// "AWS4-HMAC-SHA256 Credential=…, SignedHeaders=…, Signature=…"
std::string_view credential_of(std::string_view authorization) {
  if (!authorization.starts_with(kAlgorithm)) {
    throw ApiError("IncompleteSignature",
                   "Unsupported AWS 'algorithm' in the Authorization header");
  }
  for (const std::string_view part : {"SignedHeaders=", "Signature="}) {
    if (authorization.find(part) == std::string_view::npos) {
      throw ApiError("IncompleteSignature",
                     fmt::format("Authorization header requires '{}' parameter.",
                                 part.substr(0, part.size() - 1)));
    }
  }
  constexpr std::string_view kCredential = "Credential=";
  const auto begin = authorization.find(kCredential);
  if (begin == std::string_view::npos) {
    throw ApiError("IncompleteSignature", "Authorization header requires 'Credential' parameter.");
  }
  authorization.remove_prefix(begin + kCredential.size());
  return authorization.substr(0, std::min(authorization.find(','), authorization.find(' ')));
}

// The scope that the header names.
SignedScope scope_of_header(std::string_view authorization, const std::string& region) {
  if (authorization.starts_with(kOlderS3)) return {region, "s3"};
  return parse_scope(credential_of(authorization));
}

}  // namespace

SignedScope signed_scope(const api::HttpRequest& request, const std::string& region) {
  if (const std::string* const header = request.headers.find("authorization"))
    return scope_of_header(*header, region);
  api::Parameters parameters;
  api::parse_form(request.query, parameters);
  if (api::has_form_body(request)) api::parse_form(request.body, parameters);
  const auto credential = api::find_parameter(parameters, "X-Amz-Credential");
  if (!credential.empty()) return parse_scope(credential);
  if (!api::find_parameter(parameters, "AWSAccessKeyId").empty() &&
      api::find_parameter(parameters, "SignatureVersion") == "2") {
    const std::string* const host = request.headers.find("host");
    const std::string_view named = host == nullptr ? "" : service_addressed("", *host);
    return {region, named.empty() ? "ec2" : std::string(named)};
  }
  // S3 itself checks which requests need a signature.
  if (s3::is_for_s3(request)) return {region, "s3"};
  // The services with JSON (DynamoDB Developer Guide, "Error handling with DynamoDB").
  if (request.headers.find("x-amz-target") != nullptr)
    throw ApiError("MissingAuthenticationTokenException", "Missing Authentication Token");
  throw ApiError("MissingAuthenticationToken",
                 "Request must contain either a valid (registered) AWS access key ID or X.509 "
                 "certificate.",
                 403);
}

SignedScope any_scope(const api::HttpRequest& request) {
  try {
    return signed_scope(request, "");
  } catch (const ApiError&) {
    const auto text = [&](const char* header) -> std::string_view {
      const std::string* const found = request.headers.find(header);
      return found != nullptr ? std::string_view(*found) : "";
    };
    const std::string_view host = text("host");
    std::string_view service = service_addressed(text("x-amz-target"), host);
    if (service.empty() && s3::is_for_s3(request)) service = "s3";
    if (service.empty())
      service = host.find(".amazonaws.com") != host.npos ? host.substr(0, host.find('.')) : "ec2";
    return {"", percent_encode_unprintable(service)};
  }
}

SignedScope signed_scope_of(const RequestHead& head, const std::string& body) {
  try {
    const auto header = head.find(boost::beast::http::field::authorization);
    if (header != head.end())
      return scope_of_header({header->value().data(), header->value().size()}, "");
    const api::HttpRequest http = read_http(head, body);
    if (sts::is_unsigned(http)) return {"", "sts"};
    return sns::is_link(http) ? SignedScope{sns::region_of_link(http), "sns"}
                              : signed_scope(http, "");
  } catch (const ApiError&) {
    return {};
  } catch (const api::Refusal&) {
    return {};
  }
}

LongUploads long_uploads(const sim::cloud::Latencies& latencies) {
  constexpr std::uint64_t kMost = 5ull << 30;      // of a PUT (S3 User Guide, "Uploading objects")
  constexpr std::uint64_t kChunking = kMost >> 6;  // what aws-chunked adds
  return {.taken =
              [](const RequestHead& head) {
                namespace http = boost::beast::http;
                if (head.method() != http::verb::put && head.method() != http::verb::post)
                  return false;
                return signed_scope_of(head, "").service == "s3";
              },
          .most = kMost + kChunking,
          .bytes_per_second = latencies.s3_bytes_per_second};
}

}  // namespace fakes
