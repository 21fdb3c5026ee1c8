#include "orchestrator/aws/client.h"

#include <fmt/format.h>

#include <cstdlib>

namespace spotrun::aws {

ApiError::ApiError(std::string action, int status, std::string code, const std::string& message)
    : std::runtime_error(fmt::format("{}: {}: {}", action, code, message)),
      status_(status),
      code_(std::move(code)) {}

int max_attempts(const client::Environment& environment) {
  const int set = std::atoi(environment("AWS_MAX_ATTEMPTS").c_str());
  return set > 0 ? set : ClientConfig{}.max_attempts;
}

Client::Client(Transport& transport, Clock& clock, client::Credentials& credentials,
               ClientConfig config, client::RandomBits random)
    : transport_(transport),
      clock_(clock),
      credentials_(credentials),
      config_(std::move(config)),
      random_(std::move(random)) {}

struct Client::Attempt {
  Answer answer;
  int retry_cost = client::kRetryCost;
};

Client::Attempt Client::attempt(const api::Service& service, const api::Operation& operation,
                                const void* request) {
  const client::AwsCredentials credentials = credentials_.get();
  try {
    return {transport_.send({service, operation, request, config_.region, credentials})};
  } catch (const client::TransportError& error) {
    return {{nullptr, {"ConnectionError", error.what(), 0}}, client::kTransportRetryCost};
  }
}

std::shared_ptr<const void> Client::call(const api::Service& service,
                                         const api::Operation& operation, const void* request,
                                         Time until) {
  int taken = 0;
  for (int retry = 0;; ++retry) {
    Attempt made = attempt(service, operation, request);
    if (made.answer.response) {
      quota_.give(taken > 0 ? taken : 1);
      return std::move(made.answer.response);
    }
    const api::Error& error = made.answer.error;
    const ApiError refused(std::string(operation.name), error.status, error.code, error.message);
    if (!refused.transient() || retry + 1 >= config_.max_attempts || clock_.now() >= until ||
        !quota_.take(made.retry_cost)) {
      throw refused;
    }
    if (client::has_expired(error.code)) credentials_.forget();
    taken = made.retry_cost;
    clock_.sleep(client::backoff(retry, random_));
  }
}

std::string Client::new_token() {
  std::string token;
  for (int i = 0; i < 4; ++i) token += fmt::format("{:08x}", random_());
  return token;
}

}  // namespace spotrun::aws
