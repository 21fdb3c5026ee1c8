#include "orchestrator/aws/client.h"

#include <fmt/format.h>

#include <cstdlib>

#include "api/error.h"
#include "api/protocol.h"

namespace spotrun::aws {

ApiError::ApiError(std::string action, int status, std::string code, const std::string& message)
    : std::runtime_error(fmt::format("{}: {}: {}", action, code, message)),
      status_(status),
      code_(std::move(code)) {}

std::string ec2_endpoint(const std::string& region, const Environment& environment) {
  for (const char* name : {"AWS_ENDPOINT_URL_EC2", "AWS_ENDPOINT_URL"}) {
    if (const auto set = environment(name); !set.empty()) return set;
  }
  // China's regions are a partition with a domain of its own.
  return fmt::format("https://ec2.{}.amazonaws.com{}", region,
                     region.starts_with("cn-") ? ".cn" : "");
}

int max_attempts(const Environment& environment) {
  const int set = std::atoi(environment("AWS_MAX_ATTEMPTS").c_str());
  return set > 0 ? set : 3;
}

Client::Client(Http& http, Clock& clock, Credentials& credentials, ClientConfig config,
               RandomBits random)
    : http_(http),
      clock_(clock),
      credentials_(credentials),
      config_(std::move(config)),
      random_(std::move(random)) {
  if (!config_.endpoint.ends_with('/')) config_.endpoint += '/';
}

// Why there is no response.
struct Client::Failed {
  ApiError error;
  int retry_cost = kRetryCost;
};

std::optional<Client::Failed> Client::attempt(const api::Service& service,
                                              const api::Operation& operation, const void* request,
                                              void* response) {
  const std::string action(operation.name);
  api::HttpRequest http = api::write_request(service, operation, request);
  // libcurl signs the headers given here, the security token that it is not told of otherwise among
  // them.
  HttpRequest signed_http{
      .method = std::move(http.method),
      .url = config_.endpoint,
      .headers = std::move(http.headers),
      .body = std::move(http.body),
      .signing = AwsSigning{config_.region, std::string(service.name), credentials_.get()}};
  const std::string& token = signed_http.signing->credentials.session_token;
  if (!token.empty()) signed_http.headers.emplace_back("x-amz-security-token", token);
  HttpResponse answer;
  try {
    answer = http_.send(signed_http);
  } catch (const TransportError& error) {
    return Failed{ApiError(action, 0, "ConnectionError", error.what()), kTransportRetryCost};
  }
  const api::HttpResponse received{
      .status = answer.status, .headers = {}, .body = std::move(answer.body)};
  if (answer.status != 200) {
    api::Error error = api::read_error(service, received);
    if (error.code.empty())
      error = {fmt::format("Http{}", answer.status), "no error in the answer", answer.status};
    return Failed{ApiError(action, answer.status, error.code, error.message)};
  }
  try {
    api::read_response(service, operation, received, response);
    return {};
  } catch (const api::Refusal& broken) {
    // A good status with a broken body is a broken connection: worth another try.
    operation.output.shape->root->destroy(response);
    operation.output.shape->root->construct(response);
    return Failed{ApiError(action, 0, "Http200", broken.what())};
  }
}

void Client::call(const api::Service& service, const api::Operation& operation, const void* request,
                  void* response) {
  int taken = 0;
  for (int retry = 0;; ++retry) {
    const auto failed = attempt(service, operation, request, response);
    if (!failed) {
      quota_.give(taken > 0 ? taken : 1);
      return;
    }
    if (!failed->error.transient() || retry + 1 >= config_.max_attempts ||
        !quota_.take(failed->retry_cost)) {
      throw failed->error;
    }
    taken = failed->retry_cost;
    clock_.sleep(backoff(retry, random_));
  }
}

std::string Client::new_token() {
  std::string token;
  for (int i = 0; i < 4; ++i) token += fmt::format("{:08x}", random_());
  return token;
}

}  // namespace spotrun::aws
