// The network beyond a guest's eth0: a network namespace of the simulator. Its sockets act as the
// other machines. A packet to an address that is not shown in it is dropped.
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

// Owns that network namespace. PrivateNetwork connects each guest to it, and opens in it the
// sockets that answer the guest.
class Outside {
 public:
  // Gives a guest's network namespace an eth0 with this address. Throws std::system_error with the
  // operation that the kernel refused.
  Outside(int guest_namespace, in_addr address, int subnet_prefix, const VpcBlock& vpc);

  // Removes the guest's eth0. The destructor only lets the kernel remove it at some later time,
  // until which the guest's namespace cannot be given another one.
  void unplug();

  // Returns a non-blocking TCP socket in the namespace. It sends at once and may bind to any shown
  // address.
  base::FileDescriptor socket();
  // Shows the address: it answers through sockets that are bound to it, and refuses other ports.
  void show(in_addr peer);
  void hide(in_addr peer);
  bool shows(in_addr peer) const { return shown_.contains(peer.s_addr); }

  // A connection that the guest is opening and that no machine has answered.
  struct PendingConnection {
    std::uint16_t port = 0;  // the guest's local port
    sockaddr_in to{};
    std::uint32_t sequence = 0;  // of its SYN
  };
  // Ends the attempt by an ICMP message: ICMP_PORT_UNREACH causes ECONNREFUSED, ICMP_HOST_UNREACH
  // causes EHOSTUNREACH.
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
