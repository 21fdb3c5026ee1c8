// Tests only: a server on a loopback port of the kernel's choice, with a thread of its own.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <functional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

#include "base/files/file_descriptor.h"

namespace base {

// Serves one connection after another. Declare the server as the last member of its owner, because
// it calls the other members.
class LoopbackServer {
 public:
  explicit LoopbackServer(std::function<void(FileDescriptor connection)> serve)
      : serve_(std::move(serve)), listener_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* const any = reinterpret_cast<sockaddr*>(&address);
    if (bind(listener_.get(), any, size) != 0 || listen(listener_.get(), 16) != 0 ||
        getsockname(listener_.get(), any, &size) != 0) {
      throw std::runtime_error("no loopback socket");
    }
    port_ = ntohs(address.sin_port);
    thread_ = std::thread([this] { accept_all(); });
  }
  ~LoopbackServer() {
    shutdown(listener_.get(), SHUT_RDWR);
    thread_.join();
  }

  std::string endpoint() const { return "http://127.0.0.1:" + std::to_string(port_); }

 private:
  void accept_all() {
    for (;;) {
      FileDescriptor connection(accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC));
      if (!connection) return;
      serve_(std::move(connection));
    }
  }

  const std::function<void(FileDescriptor)> serve_;
  const FileDescriptor listener_;
  int port_ = 0;
  std::thread thread_;
};

}  // namespace base
