// The network beyond a guest's eth0: a network namespace of the simulator. The sockets in it stand
// for the other machines. A packet to an address that is not shown there vanishes, as on a network
// that drops it.
#pragma once

#include <netinet/in.h>

#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "base/files/file_descriptor.h"
#include "sim/guest/network/netlink.h"

namespace sim::guest {

// The addresses of a VPC: 172.31.0.0/16.
struct VpcBlock {
  in_addr first{};
  int prefix = 0;
  bool contains(in_addr address) const {
    const std::uint64_t differs = ntohl(address.s_addr) ^ ntohl(first.s_addr);
    return differs >> (32 - prefix) == 0;
  }
};

class Outside {
 public:
  // Gives a guest's network namespace an eth0 with this address. Throws std::system_error with the
  // operation that the kernel refused.
  Outside(int guest_namespace, in_addr address, int subnet_prefix, const VpcBlock& vpc);

  // A non-blocking TCP socket there that sends at once and may bind to any shown address.
  base::FileDescriptor socket();
  // Makes the address answer through the sockets bound to it; a port without a socket refuses.
  void show(in_addr peer);
  void hide(in_addr peer);
  bool shows(in_addr peer) const { return shown_.contains(peer.s_addr); }

  // A connection that the guest is opening and that no machine has answered.
  struct PendingConnection {
    std::uint16_t port = 0;  // the guest's own
    sockaddr_in to{};
    std::uint32_t sequence = 0;  // of its SYN
  };
  // An ICMP message ends it: ECONNREFUSED by ICMP_PORT_UNREACH, EHOSTUNREACH by ICMP_HOST_UNREACH.
  void end(const PendingConnection& opening, int icmp_code);

 private:
  in_addr address_;
  base::FileDescriptor namespace_, raw_;
  std::optional<Netlink> netlink_;  // of that namespace
  std::vector<base::FileDescriptor> sockets_;
  std::set<in_addr_t> shown_;
};

// The sequence number of the SYN that this socket has sent.
std::uint32_t sequence_of_syn(int socket);

}  // namespace sim::guest
