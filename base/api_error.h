// The error of an AWS action. Models and handlers throw it. Each protocol has an adapter that
// renders it.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace base {

// EC2's error codes (EC2 API reference, "Error codes"); adapters render it in their protocol.
class ApiError : public std::runtime_error {
 public:
  ApiError(std::string code, const std::string& message, int http_status = 400)
      : std::runtime_error(message), code_(std::move(code)), http_status_(http_status) {}
  const std::string& code() const { return code_; }
  int http_status() const { return http_status_; }

  // Further elements of a service's error besides code and message (S3 adds the bucket): name and
  // text.
  using Details = std::vector<std::pair<std::string, std::string>>;
  ApiError& with(std::string element, std::string text) {
    details_.emplace_back(std::move(element), std::move(text));
    return *this;
  }
  const Details& details() const { return details_; }

 private:
  std::string code_;
  int http_status_;
  Details details_;
};

}  // namespace base
