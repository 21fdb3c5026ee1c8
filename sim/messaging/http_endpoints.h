// The way from a topic to subscribed HTTP endpoints, which are outside of the simulation.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace sim::messaging {

struct HttpPost {
  std::string url;
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body;
};

class HttpEndpoints {
 public:
  virtual ~HttpEndpoints() = default;
  // Why this URL cannot be an endpoint. Empty if it can.
  virtual std::string obstacle(const std::string& url) const = 0;
  // Sends the request. Calls `done` at once or later, between two events of the simulation, with
  // the status of the answer, or with 0 if there is none.
  virtual void post(HttpPost request, std::function<void(int status)> done) = 0;
};

// Signs a text like SNS, in base64: version "1" is RSA with SHA-1, "2" is RSA with SHA-256.
using SignText = std::function<std::string(const std::string& text, const std::string& version)>;

}  // namespace sim::messaging
