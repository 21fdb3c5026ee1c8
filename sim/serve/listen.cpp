#include "sim/serve/listen.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <cstring>
#include <optional>
#include <stdexcept>
#include <system_error>

namespace sim::serve {
namespace {

struct SocketAddress {
  sockaddr_storage storage{};
  socklen_t size = 0;
};

std::optional<SocketAddress> parse_address(const std::string& text, int port) {
  SocketAddress address;
  sockaddr_in v4{};
  v4.sin_family = AF_INET;
  v4.sin_port = htons(static_cast<std::uint16_t>(port));
  if (inet_pton(AF_INET, text.c_str(), &v4.sin_addr) == 1) {
    std::memcpy(&address.storage, &v4, sizeof v4);
    address.size = sizeof v4;
    return address;
  }
  sockaddr_in6 v6{};
  v6.sin6_family = AF_INET6;
  v6.sin6_port = htons(static_cast<std::uint16_t>(port));
  if (inet_pton(AF_INET6, text.c_str(), &v6.sin6_addr) != 1) return {};
  std::memcpy(&address.storage, &v6, sizeof v6);
  address.size = sizeof v6;
  return address;
}

SocketAddress parsed(const std::string& text, int port) {
  const auto address = parse_address(text, port);
  if (!address)
    throw std::runtime_error(
        fmt::format("--bind: found {}, expected an IP address such as 127.0.0.1", text));
  return *address;
}

int port_of(int descriptor) {
  sockaddr_storage bound{};
  socklen_t size = sizeof bound;
  getsockname(descriptor, reinterpret_cast<sockaddr*>(&bound), &size);
  return bound.ss_family == AF_INET6
             ? ntohs(reinterpret_cast<const sockaddr_in6*>(&bound)->sin6_port)
             : ntohs(reinterpret_cast<const sockaddr_in*>(&bound)->sin_port);
}

}  // namespace

ListeningSocket listen_on(const std::string& text, int port) {
  const SocketAddress address = parsed(text, port);
  base::FileDescriptor fd(socket(address.storage.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const int on = 1;
  setsockopt(fd.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (bind(fd.get(), reinterpret_cast<const sockaddr*>(&address.storage), address.size) != 0 ||
      listen(fd.get(), SOMAXCONN) != 0) {
    throw std::runtime_error(
        fmt::format("cannot listen on {} port {}: {} (--port names another, and 0 a free one)",
                    text, port, std::generic_category().message(errno)));
  }
  const int bound = port_of(fd.get());
  return {std::move(fd), bound};
}

bool is_loopback(const std::string& text) {
  const SocketAddress address = parsed(text, 0);
  if (address.storage.ss_family == AF_INET6)
    return IN6_IS_ADDR_LOOPBACK(
        &reinterpret_cast<const sockaddr_in6*>(&address.storage)->sin6_addr);
  const auto& v4 = *reinterpret_cast<const sockaddr_in*>(&address.storage);
  return ntohl(v4.sin_addr.s_addr) >> 24 == 127;
}

std::string url_of(const std::string& scheme, const std::string& address, int port) {
  const bool v6 = address.find(':') != std::string::npos;
  return fmt::format("{}://{}{}{}:{}", scheme, v6 ? "[" : "", address, v6 ? "]" : "", port);
}

}  // namespace sim::serve
