// Sends one request to a `spotsim serve`.
#pragma once

#include <stdexcept>
#include <string>

namespace sim::cli {

struct CtlAnswer {
  long status = 0;  // of HTTP
  std::string body;
};

// The service did not answer. The message has the URL and the reason.
class NoAnswer : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The service to ask.
struct CtlService {
  std::string url;  // "http://HOST:PORT" or "https://HOST:PORT"
  std::string ca;   // PEM file of the CA for https; empty: the system's
};

// Sends GET for an empty body, else POST with JSON. Throws NoAnswer.
CtlAnswer ask(const CtlService& service, const std::string& path, const std::string& body = "");

}  // namespace sim::cli
