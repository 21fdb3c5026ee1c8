// For tests: a metadata service on loopback. The test chooses its answers, including errors.
#pragma once

#include <sys/socket.h>
#include <unistd.h>

#include <functional>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "base/loopback_server_for_test.h"

namespace spottrain {

struct TestRequest {
  std::string method, path, token;  // token: the header's value, or ""
};

struct TestReply {
  int status = 200;
  std::string body;
  bool hang = false;   // no answer until the server ends
  bool close = false;  // the connection closes without an answer
};

// Answers one request per connection.
class MetadataServer {
 public:
  using Handler = std::function<TestReply(const TestRequest&)>;

  explicit MetadataServer(Handler handler) : handler_(std::move(handler)) {}

  std::string endpoint() const { return server_.endpoint(); }
  // The requests in order: "PUT /latest/api/token" and so on.
  std::vector<std::string> seen() const {
    const std::lock_guard lock(mutex_);
    return seen_;
  }
  int count(const std::string& line) const {
    int found = 0;
    for (const std::string& one : seen()) found += one == line;
    return found;
  }

 private:
  void answer(base::FileDescriptor connection) {
    std::string text;
    char buffer[4096];
    while (text.find("\r\n\r\n") == std::string::npos) {
      const ssize_t got = read(connection.get(), buffer, sizeof buffer);
      if (got <= 0) break;
      text.append(buffer, static_cast<std::size_t>(got));
    }
    const TestRequest request = parse(text);
    {
      const std::lock_guard lock(mutex_);
      seen_.push_back(request.method + " " + request.path);
    }
    const TestReply reply = handler_(request);
    if (reply.hang) {
      held_.push_back(std::move(connection));
      return;
    }
    if (!reply.close) {
      const std::string head =
          "HTTP/1.1 " + std::to_string(reply.status) +
          " X\r\nConnection: close\r\nContent-Length: " + std::to_string(reply.body.size()) +
          "\r\n\r\n";
      const std::string all = head + reply.body;
      send(connection.get(), all.data(), all.size(), MSG_NOSIGNAL);
    }
  }

  static TestRequest parse(const std::string& text) {
    TestRequest request;
    const auto first = text.find(' '), second = text.find(' ', first + 1);
    request.method = text.substr(0, first);
    request.path = text.substr(first + 1, second - first - 1);
    const std::string header = "X-aws-ec2-metadata-token: ";
    if (const auto at = text.find(header); at != std::string::npos) {
      const auto begin = at + header.size();
      request.token = text.substr(begin, text.find("\r\n", begin) - begin);
    }
    return request;
  }

  const Handler handler_;
  std::vector<base::FileDescriptor> held_;
  mutable std::mutex mutex_;
  std::vector<std::string> seen_;
  base::LoopbackServer server_{
      [this](base::FileDescriptor connection) { answer(std::move(connection)); }};
};

}  // namespace spottrain
