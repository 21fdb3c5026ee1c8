#include "sim/guest/network/netlink.h"

#include <linux/if_addr.h>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>
#include <linux/veth.h>
#include <net/if.h>
#include <sys/socket.h>

#include <cstring>
#include <vector>

#include "base/process/system_call.h"
#include "sim/kernel/check.h"

namespace sim::guest {

// A request: a header, a body, and attributes that may be nested.
class Netlink::Message {
 public:
  template <class Body>
  Message(std::uint16_t type, int flags, const Body& body) {
    append(nlmsghdr{0, type, static_cast<std::uint16_t>(NLM_F_REQUEST | flags), 0, 0});
    append(body);
  }

  template <class T>
  void append(const T& value) {
    append(&value, sizeof value);
  }
  void append(const void* data, std::size_t size) {
    const auto* bytes = static_cast<const char*>(data);
    bytes_.insert(bytes_.end(), bytes, bytes + size);
    bytes_.resize(NLMSG_ALIGN(bytes_.size()));
  }
  void attribute(std::uint16_t type, const void* data, std::size_t size) {
    const std::size_t at = open(type);
    append(data, size);
    close(at, size);
  }
  template <class T>
  void attribute(std::uint16_t type, const T& value) {
    attribute(type, &value, sizeof value);
  }
  void attribute(std::uint16_t type, const std::string& text) {
    attribute(type, text.c_str(), text.size() + 1);
  }
  std::size_t open(std::uint16_t type) {
    const std::size_t at = bytes_.size();
    append(rtattr{0, type});
    return at;
  }
  void close(std::size_t at) { close(at, bytes_.size() - at - sizeof(rtattr)); }

  const std::vector<char>& finished() {
    const auto size = static_cast<std::uint32_t>(bytes_.size());
    std::memcpy(bytes_.data(), &size, sizeof size);
    return bytes_;
  }

 private:
  void close(std::size_t at, std::size_t payload) {
    const auto length = static_cast<unsigned short>(RTA_LENGTH(payload));
    std::memcpy(bytes_.data() + at, &length, sizeof length);
  }
  std::vector<char> bytes_;
};

Netlink::Netlink()
    : socket_(base::checked(::socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE),
                            "opening a netlink socket")) {}

// The first message of the answer; an error is thrown.
const nlmsghdr& Netlink::exchange(Message& message, Answer& answer, const std::string& doing) {
  const auto& bytes = message.finished();
  base::checked(send(socket_.get(), bytes.data(), bytes.size(), 0), doing);
  base::checked(recv(socket_.get(), answer.data(), answer.size(), 0), doing);
  const auto& head = *reinterpret_cast<const nlmsghdr*>(answer.data());
  if (head.nlmsg_type != NLMSG_ERROR) return head;
  errno = -static_cast<const nlmsgerr*>(NLMSG_DATA(&head))->error;
  if (errno != 0) base::throw_errno(doing);
  return head;
}

void Netlink::change(Message& message, const std::string& doing) {
  alignas(nlmsghdr) Answer answer;
  exchange(message, answer, doing);
}

// Not if_nametoindex(3), which uses the calling thread's namespace.
ifinfomsg Netlink::look_at(const std::string& name) {
  Message message(RTM_GETLINK, 0, ifinfomsg{});
  message.attribute(IFLA_IFNAME, name);
  alignas(nlmsghdr) Answer answer;
  const nlmsghdr& head = exchange(message, answer, "looking at the interface " + name);
  SIM_CHECK(head.nlmsg_type == RTM_NEWLINK);
  ifinfomsg out{};
  std::memcpy(&out, NLMSG_DATA(&head), sizeof out);
  return out;
}

unsigned Netlink::index_of(const std::string& name) {
  return static_cast<unsigned>(look_at(name).ifi_index);
}

bool Netlink::runs(const std::string& name) { return (look_at(name).ifi_flags & IFF_RUNNING) != 0; }

void Netlink::make_pair(const std::string& name, const std::string& other, int other_namespace,
                        const MacAddress& mac, unsigned mtu) {
  const auto interface = [&](Message& to, const std::string& its_name) {
    to.attribute(IFLA_IFNAME, its_name);
    to.attribute(IFLA_MTU, mtu);
    to.attribute(IFLA_ADDRESS, mac.data(), mac.size());
  };
  Message message(RTM_NEWLINK, NLM_F_ACK | NLM_F_CREATE | NLM_F_EXCL, ifinfomsg{});
  interface(message, name);
  const std::size_t info = message.open(IFLA_LINKINFO);
  message.attribute(IFLA_INFO_KIND, std::string("veth"));
  const std::size_t data = message.open(IFLA_INFO_DATA);
  const std::size_t peer = message.open(VETH_INFO_PEER);
  message.append(ifinfomsg{});
  interface(message, other);
  message.attribute(IFLA_NET_NS_FD, other_namespace);
  message.close(peer);
  message.close(data);
  message.close(info);
  change(message, "making a pair of virtual Ethernet interfaces");
}

void Netlink::bring_up(const std::string& name) {
  ifinfomsg link{};
  link.ifi_index = static_cast<int>(index_of(name));
  link.ifi_flags = link.ifi_change = IFF_UP;
  if (name != "lo") link.ifi_flags |= IFF_NOARP, link.ifi_change |= IFF_NOARP;
  Message message(RTM_NEWLINK, NLM_F_ACK, link);
  change(message, "bringing " + name + " up");
}

void Netlink::remove(const std::string& name) {
  ifinfomsg link{};
  link.ifi_index = static_cast<int>(index_of(name));
  Message message(RTM_DELLINK, NLM_F_ACK, link);
  change(message, "removing " + name);
}

void Netlink::add_address(const std::string& name, in_addr address, int prefix) {
  ifaddrmsg body{};
  body.ifa_family = AF_INET;
  body.ifa_prefixlen = static_cast<unsigned char>(prefix);
  body.ifa_flags = IFA_F_NOPREFIXROUTE & 0xFF;
  body.ifa_index = index_of(name);
  Message message(RTM_NEWADDR, NLM_F_ACK | NLM_F_CREATE | NLM_F_EXCL, body);
  message.attribute(IFA_LOCAL, address);
  message.attribute(IFA_ADDRESS, address);
  message.attribute(IFA_FLAGS, std::uint32_t{IFA_F_NOPREFIXROUTE});
  change(message, "giving " + name + " an address");
}

void Netlink::add_route(const std::string& name, in_addr to, int prefix,
                        std::optional<in_addr> source) {
  rtmsg body{};
  body.rtm_family = AF_INET;
  body.rtm_dst_len = static_cast<unsigned char>(prefix);
  body.rtm_table = RT_TABLE_MAIN;
  body.rtm_protocol = RTPROT_BOOT;
  body.rtm_scope = RT_SCOPE_LINK;
  body.rtm_type = RTN_UNICAST;
  Message message(RTM_NEWROUTE, NLM_F_ACK | NLM_F_CREATE | NLM_F_EXCL, body);
  message.attribute(RTA_DST, to);
  message.attribute(RTA_OIF, index_of(name));
  if (source) message.attribute(RTA_PREFSRC, *source);
  const std::size_t metrics = message.open(RTA_METRICS);
  message.attribute(RTAX_QUICKACK, std::uint32_t{1});
  message.close(metrics);
  change(message, "adding a route by " + name);
}

void Netlink::drop_all_else() {
  rtmsg body{};
  body.rtm_family = AF_INET;
  body.rtm_table = RT_TABLE_MAIN;
  body.rtm_protocol = RTPROT_BOOT;
  body.rtm_type = RTN_BLACKHOLE;
  Message message(RTM_NEWROUTE, NLM_F_ACK | NLM_F_CREATE | NLM_F_EXCL, body);
  change(message, "adding a route");
}

void Netlink::change_local(in_addr address, bool there) {
  rtmsg body{};
  body.rtm_family = AF_INET;
  body.rtm_dst_len = 32;
  body.rtm_table = RT_TABLE_LOCAL;
  body.rtm_protocol = RTPROT_BOOT;
  body.rtm_scope = RT_SCOPE_HOST;
  body.rtm_type = RTN_LOCAL;
  Message message(there ? RTM_NEWROUTE : RTM_DELROUTE,
                  there ? NLM_F_ACK | NLM_F_CREATE | NLM_F_REPLACE : NLM_F_ACK, body);
  message.attribute(RTA_DST, address);
  message.attribute(RTA_OIF, index_of("lo"));
  change(message, there ? "adding a local address" : "removing a local address");
}

void Netlink::add_local(in_addr address) { change_local(address, true); }
void Netlink::remove_local(in_addr address) { change_local(address, false); }

}  // namespace sim::guest
