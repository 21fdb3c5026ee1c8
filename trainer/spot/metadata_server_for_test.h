// Tests only: a metadata service on loopback that does as it is told, errors included.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <functional>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace spottrain {

struct TestRequest {
  std::string method, path, token;  // token: the header's value, or ""
};

struct TestReply {
  int status = 200;
  std::string body;
  bool hang = false;   // no answer, until the server ends
  bool close = false;  // no answer, the connection closes
};

// Answers one request a connection.
class MetadataServer {
 public:
  using Handler = std::function<TestReply(const TestRequest&)>;

  explicit MetadataServer(Handler handler) : handler_(std::move(handler)) {
    listener_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    if (bind(listener_, reinterpret_cast<sockaddr*>(&address), size) != 0 ||
        listen(listener_, 16) != 0 ||
        getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size) != 0) {
      throw std::runtime_error("no loopback socket");
    }
    port_ = ntohs(address.sin_port);
    thread_ = std::thread([this] { serve(); });
  }
  ~MetadataServer() {
    shutdown(listener_, SHUT_RDWR);
    thread_.join();
    for (const int held : held_) ::close(held);
    ::close(listener_);
  }

  std::string endpoint() const { return "http://127.0.0.1:" + std::to_string(port_); }
  // "PUT /latest/api/token" and so on, in order.
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
  void serve() {
    for (;;) {
      const int connection = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
      if (connection < 0) return;
      answer(connection);
    }
  }

  void answer(int connection) {
    std::string text;
    char buffer[4096];
    while (text.find("\r\n\r\n") == std::string::npos) {
      const ssize_t got = read(connection, buffer, sizeof buffer);
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
      held_.push_back(connection);
      return;
    }
    if (!reply.close) {
      const std::string head =
          "HTTP/1.1 " + std::to_string(reply.status) +
          " X\r\nConnection: close\r\nContent-Length: " + std::to_string(reply.body.size()) +
          "\r\n\r\n";
      const std::string all = head + reply.body;
      send(connection, all.data(), all.size(), MSG_NOSIGNAL);
    }
    ::close(connection);
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

  Handler handler_;
  int listener_ = -1;
  int port_ = 0;
  std::vector<int> held_;
  mutable std::mutex mutex_;
  std::vector<std::string> seen_;
  std::thread thread_;
};

}  // namespace spottrain
