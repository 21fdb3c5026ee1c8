// Ports that the program does not choose. The kernel draws them at random. Here they are drawn from
// the guest's stream, and the guest's socket is bound before its call continues.
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <optional>

#include "sim/guest/time/calls/trapped_calls.h"

namespace sim::guest::calls {
namespace {

constexpr std::uint16_t kFirstPort = 32768, kLastPort = 60999;  // Linux's ip_local_port_range
constexpr int kTries = 1000;  // after these the kernel decides, or returns that all are in use

struct Address {
  sockaddr_storage bytes{};
  socklen_t size = 0;

  sockaddr* generic() { return reinterpret_cast<sockaddr*>(&bytes); }
  // Null: it has none.
  in_port_t* port() {
    if (bytes.ss_family == AF_INET && size >= sizeof(sockaddr_in))
      return &reinterpret_cast<sockaddr_in&>(bytes).sin_port;
    if (bytes.ss_family == AF_INET6 && size >= offsetof(sockaddr_in6, sin6_scope_id))
      return &reinterpret_cast<sockaddr_in6&>(bytes).sin6_port;
    return nullptr;
  }
};

std::optional<Address> address_of_call(const TrappedCall& call, std::uint64_t at,
                                       std::uint64_t size) {
  Address out{.size = static_cast<socklen_t>(size)};
  if (size > sizeof out.bytes || !read_memory(call.tid(), at, &out.bytes, size)) return {};
  return out;
}

// The guest's socket if it speaks TCP or UDP and has no port yet, with its present address.
struct Unbound {
  base::FileDescriptor socket;
  Address at{};
};
std::optional<Unbound> unbound_socket(const TrappedCall& call) {
  Unbound out{duplicate(open_process(call.process()).get(), call.integer(0))};
  int type = 0;
  socklen_t type_size = sizeof type;
  out.at.size = sizeof out.at.bytes;
  if (!out.socket || getsockopt(out.socket.get(), SOL_SOCKET, SO_TYPE, &type, &type_size) != 0 ||
      (type != SOCK_STREAM && type != SOCK_DGRAM) ||
      getsockname(out.socket.get(), out.at.generic(), &out.at.size) != 0)
    return {};
  const in_port_t* port = out.at.port();
  if (port == nullptr || *port != 0) return {};
  return out;
}

// Tries names that `draw` writes into the address; 0 or the errno of the last.
template <class Draw>
int bind_to_free(int socket, Address address, const Draw& draw) {
  for (int tries = 0; tries < kTries; ++tries) {
    draw(address);
    if (::bind(socket, address.generic(), address.size) == 0) return 0;
    if (errno != EADDRINUSE) break;
  }
  return errno;
}

int bind_to_port(const TrappedCall& call, int socket, const Address& address) {
  return bind_to_free(socket, address, [&call](Address& at) {
    call.world.hooks->took(call.guest.token, {Taken::kPorts, 1});
    *at.port() = htons(draw_port(call.guest.random.ports));
  });
}

// unix(7)'s autobind: five hexadecimal digits in the abstract name space.
int bind_to_abstract(const TrappedCall& call, int socket) {
  constexpr int kDigits = 5;
  Address named{.size = offsetof(sockaddr_un, sun_path) + 1 + kDigits};
  named.bytes.ss_family = AF_UNIX;
  return bind_to_free(socket, named, [&call](Address& at) {
    auto* path = reinterpret_cast<sockaddr_un&>(at.bytes).sun_path;
    call.world.hooks->took(call.guest.token, {Taken::kNames, 1});
    std::snprintf(path + 1, kDigits + 1, "%05x", draw_name(call.guest.random.ports));
  });
}

}  // namespace

std::uint16_t draw_port(Stream& stream) {
  return static_cast<std::uint16_t>(kFirstPort + stream.below(kLastPort - kFirstPort + 1));
}
unsigned draw_name(Stream& stream) { return static_cast<unsigned>(stream.below(0x100000)); }

void choose_port(const TrappedCall& call) {
  const auto unbound = unbound_socket(call);
  if (unbound) bind_to_port(call, unbound->socket.get(), unbound->at);
}

void bind(TrappedCall& call) {
  auto address = address_of_call(call, call.argument(1), call.argument(2));
  if (!address) return call.go_on();  // for its error
  const in_port_t* port = address->port();
  const bool any_port = port != nullptr && *port == 0;
  const bool any_name = address->bytes.ss_family == AF_UNIX && address->size == sizeof(sa_family_t);
  const base::FileDescriptor socket =
      duplicate(open_process(call.process()).get(), call.integer(0));
  if (!socket || (!any_port && !any_name)) return call.go_on();
  int family = 0;
  socklen_t size = sizeof family;
  if (getsockopt(socket.get(), SOL_SOCKET, SO_DOMAIN, &family, &size) != 0 ||
      family != address->bytes.ss_family)
    return call.go_on();
  const int error =
      any_port ? bind_to_port(call, socket.get(), *address) : bind_to_abstract(call, socket.get());
  error == 0 ? call.answer(0) : call.fail(error);
}

void listen(TrappedCall& call) {
  choose_port(call);
  call.go_on();
}

// Only a call with an address comes here: a datagram whose socket may have no address yet.
void sendto(TrappedCall& call) {
  choose_port(call);
  call.go_on();
}

}  // namespace sim::guest::calls
