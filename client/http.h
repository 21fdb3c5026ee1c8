// HTTP as a client of AWS sees it: a function from request to response.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "client/clock.h"

namespace client {

struct AwsCredentials {
  std::string access_key_id, secret_access_key;
  std::string session_token;  // empty: long-term credentials
};

// Requests a Signature Version 4 over the request and its headers.
struct AwsSigning {
  std::string region, service;
  AwsCredentials credentials;
};

struct HttpRequest {
  std::string method;  // GET, POST, PUT, DELETE
  std::string url;
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body;
  std::optional<AwsSigning> signing;
  Duration timeout{60'000};           // for the whole exchange
  std::size_t most_bytes = 16 << 20;  // of the response's body; with more there is no response
};

struct HttpResponse {
  int status = 0;
  std::string body;
  std::vector<std::pair<std::string, std::string>> headers;  // names in lower case
};

// No response: the name does not resolve, the connection is refused or breaks, time is up.
struct TransportError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Http {
 public:
  virtual ~Http() = default;
  // Any status is a response. Throws TransportError when there is none.
  virtual HttpResponse send(const HttpRequest& request) = 0;
};

}  // namespace client
