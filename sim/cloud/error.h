// The one error type of the cloud: what an API call answers when it does not do what was asked.
#pragma once

#include <stdexcept>
#include <string>

namespace sim::cloud {

// EC2's error codes (EC2 API reference, "Error codes"); adapters render it in their protocol.
class ApiError : public std::runtime_error {
 public:
  ApiError(std::string code, const std::string& message, int http_status = 400)
      : std::runtime_error(message), code_(std::move(code)), http_status_(http_status) {}
  const std::string& code() const { return code_; }
  int http_status() const { return http_status_; }

 private:
  std::string code_;
  int http_status_;
};

}  // namespace sim::cloud
