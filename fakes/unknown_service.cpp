#include "fakes/unknown_service.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "api/form.h"
#include "api/protocol.h"
#include "api/refusal.h"
#include "fakes/http/printable.h"
#include "sim/cloud/error.h"

namespace fakes {
namespace {

// Services that are addressed by path speak JSON, except for these.
constexpr std::string_view kRestXml[] = {"cloudfront", "route53", "s3"};

bool has_action(const api::HttpRequest& request) {
  api::Parameters query;
  try {
    api::parse_form(request.query, query);
  } catch (const api::Refusal&) {
    return false;
  }
  return !api::find_parameter(query, "Action").empty();
}

api::Protocol protocol_of(const api::HttpRequest& request, std::string_view service) {
  const std::string* const type = request.headers.find("content-type");
  if (request.headers.find("x-amz-target") != nullptr ||
      (type != nullptr && type->starts_with("application/x-amz-json")))
    return api::Protocol::kJson;
  const bool by_form = api::has_form_body(request) || has_action(request);
  if (by_form || service.empty() || std::ranges::find(kRestXml, service) != std::end(kRestXml))
    return api::Protocol::kQuery;  // the form of XML that all of botocore's parsers read
  return api::Protocol::kRestJson;
}

// Smithy's RPC protocol, in which some newer SDKs speak to CloudWatch: JSON's object as CBOR.
bool is_cbor(const api::HttpRequest& request) {
  const std::string* const smithy = request.headers.find("smithy-protocol");
  return smithy != nullptr && *smithy == "rpc-v2-cbor";
}

api::HttpResponse as_cbor(const api::HttpResponse& json, const std::string& id) {
  api::HttpResponse response{.status = json.status, .headers = {}, .body = {}};
  const auto bytes = nlohmann::json::to_cbor(nlohmann::json::parse(json.body));
  response.body.assign(bytes.begin(), bytes.end());
  response.headers.add("x-amzn-RequestId", id);
  response.headers.add("content-type", "application/cbor");
  response.headers.add("smithy-protocol", "rpc-v2-cbor");
  return response;
}

}  // namespace

void refuse_cbor(const api::HttpRequest& request, std::string_view service) {
  if (!is_cbor(request)) return;
  throw sim::cloud::ApiError(
      "NotImplemented",
      fmt::format("The protocol smithy-rpc-v2-cbor of the service '{}' is not part of this "
                  "simulated AWS. It speaks the protocols query and json.",
                  service),
      501);
}

std::string json_target(const api::HttpRequest& request) {
  const std::string* const target = request.headers.find("x-amz-target");
  return target != nullptr ? percent_encode_unprintable(*target) : "";
}

std::string action_of_unknown_service(const api::HttpRequest& request) {
  const std::string target = json_target(request);
  if (!target.empty()) return target.substr(target.rfind('.') + 1);
  api::Parameters parameters;
  api::parse_form(request.query, parameters);
  if (api::has_form_body(request)) api::parse_form(request.body, parameters);
  const auto action = api::find_parameter(parameters, "Action");
  return action.empty() ? request.method + " " + percent_encode_unprintable(request.path)
                        : percent_encode_unprintable(action);
}

api::HttpResponse error_of_unknown_service(const api::HttpRequest& request,
                                           std::string_view service, const api::Error& error,
                                           const std::string& id) {
  const bool cbor = is_cbor(request);
  const api::Protocol protocol = cbor ? api::Protocol::kJson : protocol_of(request, service);
  auto response = api::write_error({.name = "",
                                    .protocol = protocol,
                                    .version = "",
                                    .xmlns = "",
                                    .target_prefix = "",
                                    .json_version = "1.1",
                                    .operations = {}},
                                   error, id);
  return cbor ? as_cbor(response, id) : response;
}

}  // namespace fakes
