#include "orchestrator/aws/client.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

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

// A response that is good, or the error that it is.
struct Client::Outcome {
  pugi::xml_document document;
  std::optional<ApiError> error;
  int retry_cost = kRetryCost;
};

Client::Outcome Client::attempt(const std::string& action, const std::string& body) {
  Outcome outcome;
  HttpResponse response;
  try {
    // libcurl signs the headers given here, the security token that it is not told of otherwise
    // among them.
    HttpRequest request{
        .method = "POST",
        .url = config_.endpoint,
        .headers = {{"content-type", "application/x-www-form-urlencoded; charset=utf-8"}},
        .body = body,
        .signing = AwsSigning{config_.region, "ec2", credentials_.get()}};
    const std::string& token = request.signing->credentials.session_token;
    if (!token.empty()) request.headers.emplace_back("x-amz-security-token", token);
    response = http_.send(request);
  } catch (const TransportError& error) {
    outcome.error.emplace(action, 0, "ConnectionError", error.what());
    outcome.retry_cost = kTransportRetryCost;
    return outcome;
  }
  const auto parsed = outcome.document.load_buffer(response.body.data(), response.body.size());
  if (response.status == 200 && parsed) return outcome;
  const auto error = outcome.document.child("Response").child("Errors").child("Error");
  std::string code = error.child_value("Code");
  std::string message = error.child_value("Message");
  if (code.empty()) {
    code = fmt::format("Http{}", response.status);
    message = parsed ? "no error in the answer" : parsed.description();
  }
  // A good status with a broken body is a broken connection: worth another try.
  outcome.error.emplace(action, response.status == 200 ? 0 : response.status, code, message);
  return outcome;
}

pugi::xml_document Client::call(const std::string& action, Parameters parameters) {
  parameters.insert(parameters.begin(), {{"Action", action}, {"Version", "2016-11-15"}});
  const std::string body = form_encode(parameters);
  int taken = 0;
  for (int retry = 0;; ++retry) {
    Outcome outcome = attempt(action, body);
    if (!outcome.error) {
      quota_.give(taken > 0 ? taken : 1);
      return std::move(outcome.document);
    }
    if (!outcome.error->transient() || retry + 1 >= config_.max_attempts ||
        !quota_.take(outcome.retry_cost)) {
      throw *outcome.error;
    }
    taken = outcome.retry_cost;
    clock_.sleep(backoff(retry, random_));
  }
}

void Client::call_paged(const std::string& action, const Parameters& parameters,
                        const std::function<void(pugi::xml_node)>& page) {
  std::string next;
  do {
    Parameters with_token = parameters;
    if (!next.empty()) with_token.emplace_back("NextToken", next);
    const pugi::xml_document answer = call(action, std::move(with_token));
    page(answer.document_element());
    next = answer.document_element().child_value("nextToken");
  } while (!next.empty());
}

std::string Client::new_token() {
  std::string token;
  for (int i = 0; i < 4; ++i) token += fmt::format("{:08x}", random_());
  return token;
}

}  // namespace spotrun::aws
