// Posts SNS's messages to HTTP endpoints on this machine, without letting the served cloud wait.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sim/messaging/http_endpoints.h"

namespace sim::serve {

// Has one thread, which sends up to 16 requests at once. An endpoint gets one request at a time, in
// the order of post(), so a slow one delays no other. The owner calls take_answers() whenever
// descriptor() is readable, so that answers arrive between two requests to the served cloud.
class HttpSender : public messaging::HttpEndpoints {
 public:
  // Endpoints may be on the loopback interface, or on a host of `allowed_hosts`.
  explicit HttpSender(const std::vector<std::string>& allowed_hosts);
  ~HttpSender() override;
  HttpSender(const HttpSender&) = delete;
  HttpSender& operator=(const HttpSender&) = delete;

  std::string obstacle(const std::string& url) const override;
  void post(messaging::HttpPost request, std::function<void(int status)> done) override;

  int descriptor() const;
  // Calls `done` of the requests that are complete, in the order of post().
  void take_answers();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace sim::serve
