// Interfaces, addresses and routes of one network namespace, through rtnetlink(7).
#pragma once

#include <linux/rtnetlink.h>
#include <netinet/in.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "base/files/file_descriptor.h"

namespace sim::guest {

using MacAddress = std::array<std::uint8_t, 6>;

// All functions throw std::system_error that names the failed operation.
class Netlink {
 public:
  // Uses the calling thread's network namespace, as long as the object exists.
  Netlink();

  // Makes two joined Ethernet interfaces with one MAC address and without ARP: the first in this
  // namespace, the other in another.
  void make_pair(const std::string& name, const std::string& other, int other_namespace,
                 const MacAddress& mac, unsigned mtu);
  void bring_up(const std::string& name);
  // Removes the interface and its pair.
  void remove(const std::string& name);
  // Whether the interface can send packets.
  bool runs(const std::string& name);
  void add_address(const std::string& name, in_addr address, int prefix);
  // Packets to addresses of the prefix leave by the interface, with this source address if the
  // sender has chosen none. Each segment is acknowledged at once, so no timer has an effect.
  void add_route(const std::string& name, in_addr to, int prefix, std::optional<in_addr> source);
  // Drops packets that match no other route.
  void drop_all_else();
  // Makes the address a local one of this namespace.
  void add_local(in_addr address);
  void remove_local(in_addr address);

 private:
  class Message;
  using Answer = std::array<char, 16384>;
  const nlmsghdr& exchange(Message& message, Answer& answer, const std::string& doing);
  void change(Message& message, const std::string& doing);
  ifinfomsg look_at(const std::string& name);
  unsigned index_of(const std::string& name);
  void change_local(in_addr address, bool there);

  base::FileDescriptor socket_;
};

}  // namespace sim::guest
