#include "orchestrator/aws/http_transport.h"

#include <fmt/format.h>

#include "api/protocol.h"
#include "api/refusal.h"
#include "api/value.h"

namespace spotrun::aws {
namespace {

client::HttpRequest signed_request(const Call& call, std::string endpoint) {
  api::HttpRequest http = api::write_request(call.service, call.operation, call.request);
  // libcurl signs the headers of this request. It has no separate option for the security token.
  client::HttpRequest request{
      .method = std::move(http.method),
      .url = std::move(endpoint),
      .headers = std::move(http.headers),
      .body = std::move(http.body),
      .signing = client::AwsSigning{call.region, std::string(call.service.name), call.credentials}};
  const std::string& token = call.credentials.session_token;
  if (!token.empty()) request.headers.emplace_back("x-amz-security-token", token);
  return request;
}

api::Error error_in(const api::Service& service, const api::HttpResponse& received) {
  api::Error error = api::read_error(service, received);
  if (error.code.empty())
    error = {fmt::format("Http{}", received.status), "no error in the answer"};
  error.status = received.status;
  return error;
}

}  // namespace

std::string ec2_endpoint(const std::string& region, const client::Environment& environment) {
  for (const char* name : {"AWS_ENDPOINT_URL_EC2", "AWS_ENDPOINT_URL"}) {
    const auto set = environment(name);
    if (!set.empty()) return set.ends_with('/') ? set : set + '/';
  }
  // AWS's regions in China are a separate partition with another domain.
  return fmt::format("https://ec2.{}.amazonaws.com{}/", region,
                     region.starts_with("cn-") ? ".cn" : "");
}

Answer HttpTransport::send(const Call& call) {
  client::HttpResponse answer =
      http_.send(signed_request(call, ec2_endpoint(call.region, environment_)));
  const api::HttpResponse received{
      .status = answer.status, .headers = {}, .body = std::move(answer.body)};
  if (answer.status != 200) return {nullptr, error_in(call.service, received)};
  const auto response = std::make_shared<api::Object>(*call.operation.output.shape);
  try {
    api::read_response(call.service, call.operation, received, response->get());
  } catch (const api::Refusal& broken) {
    // The answer is treated as a broken connection: a retry may succeed.
    return {nullptr, {"Http200", broken.what(), 0}};
  }
  return {std::shared_ptr<const void>(response, response->get())};
}

}  // namespace spotrun::aws
