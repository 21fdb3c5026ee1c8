// EC2's Query API over HTTP: signs, sends, retries, reads the answer's XML.
#pragma once

#include <functional>
#include <pugixml.hpp>
#include <stdexcept>
#include <string>

#include "orchestrator/aws/credentials.h"
#include "orchestrator/aws/query.h"
#include "orchestrator/aws/retry.h"
#include "orchestrator/seams/environment.h"

namespace spotrun::aws {

// The service refused, or could not be asked after all retries.
class ApiError : public std::runtime_error {
 public:
  ApiError(std::string action, int status, std::string code, const std::string& message);
  // EC2's code ("IncorrectState"); "ConnectionError" when there was no response.
  const std::string& code() const { return code_; }
  // Asking again later may help.
  bool transient() const { return status_ == 0 || is_transient(status_, code_); }

 private:
  int status_;
  std::string code_;
};

// AWS_ENDPOINT_URL_EC2, else AWS_ENDPOINT_URL, else the region's own.
std::string ec2_endpoint(const std::string& region, const Environment& environment);

struct ClientConfig {
  std::string region;
  std::string endpoint;
  int max_attempts = 3;  // of one request, the first included
};
// AWS_MAX_ATTEMPTS, where it is a number above 0, else 3.
int max_attempts(const Environment& environment);

class Client {
 public:
  Client(Http& http, Clock& clock, Credentials& credentials, ClientConfig config,
         RandomBits random);

  // One action; the answer's root element is the document's first child. Throws ApiError,
  // NoCredentials.
  pugi::xml_document call(const std::string& action, Parameters parameters);
  // An action that answers in pages: `page` gets each answer's root element.
  void call_paged(const std::string& action, const Parameters& parameters,
                  const std::function<void(pugi::xml_node root)>& page);

  const std::string& region() const { return config_.region; }
  // A new ClientToken: 32 random hexadecimal digits.
  std::string new_token();

 private:
  struct Outcome;
  Outcome attempt(const std::string& action, const std::string& body);

  Http& http_;
  Clock& clock_;
  Credentials& credentials_;
  ClientConfig config_;
  RetryQuota quota_;
  RandomBits random_;
};

}  // namespace spotrun::aws
