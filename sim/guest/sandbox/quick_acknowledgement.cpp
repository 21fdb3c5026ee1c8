#include "sim/guest/sandbox/quick_acknowledgement.h"

#include <arpa/inet.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <sys/socket.h>

#include <cstdint>
#include <cstring>
#include <string>

#include "base/files/file_descriptor.h"
#include "base/process/system_call.h"
#include "sim/guest/sandbox/guest_network.h"

namespace sim::guest {
namespace {

// A request to change a route, with its attributes behind it (rtnetlink(7)).
class RouteRequest {
 public:
  RouteRequest() {
    request_.head.nlmsg_len = NLMSG_LENGTH(sizeof request_.route);
    request_.head.nlmsg_type = RTM_NEWROUTE;
    request_.head.nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK | NLM_F_CREATE | NLM_F_REPLACE;
    request_.route.rtm_family = AF_INET;
    request_.route.rtm_table = RT_TABLE_LOCAL;
    request_.route.rtm_protocol = RTPROT_KERNEL;
    request_.route.rtm_scope = RT_SCOPE_HOST;
    request_.route.rtm_type = RTN_LOCAL;
  }
  void to(in_addr address, std::uint8_t bits) {
    request_.route.rtm_dst_len = bits;
    add(RTA_DST, &address, sizeof address);
  }
  void add(std::uint16_t type, const void* data, std::size_t size) {
    auto* const at = reinterpret_cast<rtattr*>(reinterpret_cast<char*>(&request_) +
                                               NLMSG_ALIGN(request_.head.nlmsg_len));
    at->rta_type = type;
    at->rta_len = static_cast<std::uint16_t>(RTA_LENGTH(size));
    std::memcpy(RTA_DATA(at), data, size);
    request_.head.nlmsg_len = NLMSG_ALIGN(request_.head.nlmsg_len) + RTA_ALIGN(at->rta_len);
  }
  const nlmsghdr& message() const { return request_.head; }

 private:
  struct {
    nlmsghdr head{};
    rtmsg route{};
    char attributes[128]{};
  } request_;
};

void send_request(int netlink, const RouteRequest& request, const std::string& what) {
  const nlmsghdr& message = request.message();
  base::checked(send(netlink, &message, message.nlmsg_len, 0), what);
  struct {
    nlmsghdr head;
    nlmsgerr error;
    char rest[512];
  } answer{};
  base::checked(recv(netlink, &answer, sizeof answer, 0), what);
  errno = answer.head.nlmsg_type == NLMSG_ERROR ? -answer.error.error : EPROTO;
  if (errno != 0) base::throw_errno(what);
}

}  // namespace

void acknowledge_at_once() {
  const base::FileDescriptor netlink(base::checked(
      socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE), "opening a netlink socket"));
  const unsigned loopback = if_nametoindex("lo");
  struct {
    rtattr head{RTA_LENGTH(sizeof(std::uint32_t)), RTAX_QUICKACK};
    std::uint32_t value = 1;
  } metrics;
  struct Range {
    const char* address;
    std::uint8_t bits;
  };
  constexpr std::uint8_t kWholeAddress = 32, kLoopbackNetwork = 8;
  for (const auto& [text, bits] :
       {Range{kMetadataAddress, kWholeAddress}, Range{kEndpointAddress, kWholeAddress},
        Range{"127.0.0.0", kLoopbackNetwork}, Range{"127.0.0.1", kWholeAddress}}) {
    in_addr address{}, source{};
    inet_pton(AF_INET, text, &address);
    inet_pton(AF_INET, bits == kWholeAddress ? text : "127.0.0.1", &source);
    RouteRequest request;
    request.to(address, bits);
    request.add(RTA_OIF, &loopback, sizeof loopback);
    request.add(RTA_PREFSRC, &source, sizeof source);
    request.add(RTA_METRICS, &metrics, sizeof metrics);
    send_request(netlink.get(), request, std::string("the route to ") + text);
  }
}

}  // namespace sim::guest
