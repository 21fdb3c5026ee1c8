// Calls AWS's API: sends requests with credentials, and retries.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>

#include "api/table.h"
#include "client/credentials.h"
#include "client/environment.h"
#include "client/retry.h"
#include "orchestrator/aws/transport.h"
#include "orchestrator/seams/clock.h"

namespace spotrun::aws {

// The service refused the request, or did not answer after all retries.
class ApiError : public std::runtime_error {
 public:
  ApiError(std::string action, int status, std::string code, const std::string& message);
  // EC2's code, such as "IncorrectState", or "ConnectionError" if there was no response.
  const std::string& code() const { return code_; }
  // Whether a later retry may succeed.
  bool transient() const { return status_ == 0 || client::is_transient(status_, code_); }

 private:
  int status_;
  std::string code_;
};

struct ClientConfig {
  std::string region;
  int max_attempts = 60;  // per request, including the first
};
// AWS_MAX_ATTEMPTS if it is a number above 0, else 60. The SDKs' default of 3 suits interactive
// use. The pauses of sixty attempts take some nine minutes.
int max_attempts(const client::Environment& environment);

// Signs, sends and retries requests of the orchestrator. `transport` makes one attempt; this class
// decides whether another follows, with the SDKs' rules for pauses and quota (client/).
class Client {
 public:
  Client(Transport& transport, Clock& clock, client::Credentials& credentials, ClientConfig config,
         client::RandomBits random);

  // Calls one action. The answer is never null. Throws ApiError, NoCredentials. After `until` it
  // does not retry.
  template <class Op>
  std::shared_ptr<const typename Op::Response> call(const typename Op::Request& request,
                                                    Time until = Time::max()) {
    return std::static_pointer_cast<const typename Op::Response>(
        call(Op::service(), Op::service().operations[Op::kAt], &request, until));
  }
  // Calls an action that answers in pages. `page` gets each response.
  template <class Op, class Page>
  void call_paged(typename Op::Request request, Page page) {
    do {
      const auto response = call<Op>(request);
      page(*response);
      request.next_token = response->next_token;
    } while (request.next_token && !request.next_token->empty());
  }

  const std::string& region() const { return config_.region; }
  // A new ClientToken: 32 random hexadecimal digits.
  std::string new_token();

 private:
  struct Attempt;
  std::shared_ptr<const void> call(const api::Service& service, const api::Operation& operation,
                                   const void* request, Time until);
  Attempt attempt(const api::Service& service, const api::Operation& operation,
                  const void* request);

  Transport& transport_;
  Clock& clock_;
  client::Credentials& credentials_;
  ClientConfig config_;
  client::RetryQuota quota_;
  client::RandomBits random_;
};

}  // namespace spotrun::aws
