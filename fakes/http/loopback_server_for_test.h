// Tests only: the server on a loopback port of the kernel's choice, real sockets and real client
// programs. The simulation moves on only for answers that are due.
#pragma once

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/files/file_descriptor.h"
#include "base/process/process.h"
#include "base/process/system_call.h"
#include "fakes/http/server.h"

namespace fakes {

class Loopback {
 public:
  explicit Loopback(sim::Simulation& simulation) : simulation_(simulation), server(simulation) {}

  // Returns the port.
  int listen(Handler handler) {
    int port = 0;
    token = server.listen(listening_socket(port), std::move(handler));
    return port;
  }

  // A listening socket.
  static int listening_socket(int& port) {
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    if (bind(fd, reinterpret_cast<sockaddr*>(&address), size) != 0 || ::listen(fd, 64) != 0 ||
        getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size) != 0) {
      throw std::runtime_error("no loopback socket");
    }
    port = ntohs(address.sin_port);
    return fd;
  }

  // Serves until the sockets are quiet and no event is due within `horizon` of virtual time.
  void settle(sim::Duration horizon = std::chrono::seconds{1}) {
    for (;;) {
      if (server.poll()) continue;
      const auto next = simulation_.next();
      if (!next || *next > simulation_.now() + horizon) return;
      simulation_.step();
    }
  }

  // Runs a program to its end and returns its standard output, with its exit status in `status`. It
  // is killed when `doomed` returns true.
  std::string run(const std::vector<std::string>& command, int& status,
                  const std::function<bool()>& doomed = {}) {
    int ends[2];
    base::checked(pipe2(ends, O_CLOEXEC), "making a pipe");
    const base::FileDescriptor reading(ends[0]);
    base::FileDescriptor writing(ends[1]);
    const pid_t child =
        base::start_process({.argv = command, .output = writing.get(), .errors = writing.get()});
    writing = {};
    bool killed = false;
    const std::string text = serve_while_reading(reading.get(), [&] {
      if (!killed && doomed && doomed()) killed = ::kill(child, SIGKILL) == 0;
    });
    status = base::exit_status(base::wait_for_end(child));
    return text;
  }

 private:
  // Virtual time moves only as far as answers need it, independently of the client's speed.
  std::string serve_while_reading(int descriptor, const std::function<void()>& look) {
    std::string text;
    char buffer[4096];
    for (;;) {
      look();
      if (server.poll()) continue;
      pollfd readable{descriptor, POLLIN, 0};
      if (::poll(&readable, 1, 1) > 0) {
        const auto n = read(descriptor, buffer, sizeof buffer);
        if (n <= 0) return text;
        text.append(buffer, static_cast<std::size_t>(n));
      } else {
        settle();
      }
    }
  }

  sim::Simulation& simulation_;

 public:
  Server server;
  int token = 0;
};

}  // namespace fakes
