#include "sim/guest/sandbox/guest_network.h"

#include <arpa/inet.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <cstring>
#include <string>

#include "base/process/system_call.h"
#include "sim/guest/sandbox/quick_acknowledgement.h"

namespace sim::guest {
namespace {

sockaddr_in internet_address(const char* address, std::uint16_t port) {
  sockaddr_in out{};
  out.sin_family = AF_INET;
  out.sin_port = htons(port);
  inet_pton(AF_INET, address, &out.sin_addr);
  return out;
}

void configure(int socket, const char* interface, unsigned long request, const char* address) {
  ifreq what{};
  std::strncpy(what.ifr_name, interface, sizeof what.ifr_name - 1);
  const auto value = internet_address(address, 0);
  std::memcpy(&what.ifr_addr, &value, sizeof value);
  base::checked(ioctl(socket, request, &what), std::string("giving lo the address ") + address);
}

base::FileDescriptor bound(int type, const char* address, std::uint16_t port) {
  base::FileDescriptor socket(
      base::checked(::socket(AF_INET, type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), "opening a socket"));
  const auto at = internet_address(address, port);
  base::checked(bind(socket.get(), reinterpret_cast<const sockaddr*>(&at), sizeof at),
                "binding to " + std::string(address) + ":" + std::to_string(port));
  return socket;
}

}  // namespace

void set_up_loopback() {
  const base::FileDescriptor socket(
      base::checked(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0), "opening a socket"));
  ifreq up{};
  std::strncpy(up.ifr_name, "lo", sizeof up.ifr_name - 1);
  up.ifr_flags = IFF_UP | IFF_RUNNING | IFF_LOOPBACK;
  base::checked(ioctl(socket.get(), SIOCSIFFLAGS, &up), "bringing lo up");
  for (const auto& [alias, address] :
       {std::pair{"lo:0", kMetadataAddress}, std::pair{"lo:1", kEndpointAddress}}) {
    configure(socket.get(), alias, SIOCSIFADDR, address);
    configure(socket.get(), alias, SIOCSIFNETMASK, "255.255.255.255");
  }
  acknowledge_at_once();
}

base::FileDescriptor listen_at(const char* address, std::uint16_t port) {
  base::FileDescriptor socket = bound(SOCK_STREAM, address, port);
  base::checked(listen(socket.get(), SOMAXCONN), "listening at " + std::string(address));
  return socket;
}

base::FileDescriptor receive_at(const char* address, std::uint16_t port) {
  return bound(SOCK_DGRAM, address, port);
}

std::uint16_t port_of(const base::FileDescriptor& socket) {
  sockaddr_in at{};
  socklen_t size = sizeof at;
  base::checked(getsockname(socket.get(), reinterpret_cast<sockaddr*>(&at), &size),
                "asking for a socket's port");
  return ntohs(at.sin_port);
}

}  // namespace sim::guest
