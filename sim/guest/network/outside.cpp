#include "sim/guest/network/outside.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/ip.h>
#include <netinet/ip_icmp.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <sys/socket.h>

#include <array>
#include <cstring>
#include <exception>
#include <fstream>
#include <functional>
#include <thread>

#include "base/process/system_call.h"
#include "sim/guest/time/real_clock.h"

namespace sim::guest {
namespace {

constexpr unsigned kJumboFrames = 9001;  // EC2's MTU within a VPC
constexpr int kSocketsAtATime = 8;

// In a thread, which may enter a network namespace and need not come back: without root it could
// not.
void in_a_thread(const std::function<void()>& work) {
  std::exception_ptr error;
  std::thread([&] {
    try {
      work();
    } catch (...) {
      error = std::current_exception();
    }
  }).join();
  if (error) std::rethrow_exception(error);
}

void enter_network(int its_namespace) {
  base::checked(setns(its_namespace, CLONE_NEWNET), "entering a network namespace");
}

// Fixes the buffer sizes, which the kernel would otherwise choose by real speed. Where /proc/sys
// cannot be written, the kernel chooses.
void fix_buffers(const char* receive, const char* send) {
  const std::string folder = "/proc/sys/net/ipv4/";
  std::ofstream(folder + "tcp_rmem") << receive;
  std::ofstream(folder + "tcp_wmem") << send;
  std::ofstream(folder + "tcp_moderate_rcvbuf") << 0;
  // An unanswered connection fails on virtual time.
  std::ofstream(folder + "tcp_syn_retries") << 127;
}

void without_ipv6(const std::string& interface) {
  std::ofstream("/proc/sys/net/ipv6/conf/" + interface + "/disable_ipv6") << 1;
}

// The MAC address, equal to the metadata service's answer.
MacAddress mac_of(in_addr address) {
  const std::uint32_t n = ntohl(address.s_addr);
  const auto byte = [n](int shift) { return static_cast<std::uint8_t>(n >> shift); };
  return {6, 0, byte(24), byte(16), byte(8), byte(0)};
}

std::uint16_t internet_checksum(const void* data, std::size_t size) {
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i + 1 < size; i += 2) {
    std::uint16_t word = 0;
    std::memcpy(&word, static_cast<const char*>(data) + i, sizeof word);
    sum += word;
  }
  while (sum >> 16) sum = (sum & 0xFFFF) + (sum >> 16);
  return static_cast<std::uint16_t>(~sum);
}

void set_option(int socket, int level, int option, int value) {
  base::checked(setsockopt(socket, level, option, &value, sizeof value),
                "setting a socket's option");
}

}  // namespace

Outside::Outside(int guest_namespace, in_addr address, int subnet_prefix, const VpcBlock& vpc)
    : address_(address) {
  in_a_thread([&] {
    base::checked(unshare(CLONE_NEWNET), "a network namespace");
    namespace_ = base::FileDescriptor(
        base::checked(open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC), "looking at it"));
    Netlink& outside = netlink_.emplace();
    outside.make_pair("guest", "eth0", guest_namespace, mac_of(address), kJumboFrames);
    without_ipv6("guest");
    fix_buffers("4096 262144 262144", "4096 1048576 1048576");
    outside.bring_up("lo");
    outside.bring_up("guest");
    outside.add_route("guest", address, 32, {});
    outside.drop_all_else();
    enter_network(guest_namespace);
    Netlink inside;
    without_ipv6("eth0");
    fix_buffers("4096 1048576 1048576", "4096 262144 262144");
    inside.bring_up("eth0");
    inside.add_address("eth0", address, subnet_prefix);
    inside.add_route("eth0", vpc.first, vpc.prefix, address);
    // The kernel lets packets pass some time after an interface is up.
    wait_for_kernel([&] { return inside.runs("eth0") && outside.runs("guest"); });
  });
}

void Outside::unplug() { netlink_->remove("guest"); }

base::FileDescriptor Outside::socket() {
  if (sockets_.empty()) {
    in_a_thread([this] {
      enter_network(namespace_.get());
      for (int i = 0; i < kSocketsAtATime; ++i)
        sockets_.emplace_back(
            base::checked(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0),
                          "opening a socket beyond a guest"));
    });
  }
  base::FileDescriptor out = std::move(sockets_.back());
  sockets_.pop_back();
  set_option(out.get(), SOL_SOCKET, SO_REUSEADDR, 1);
  set_option(out.get(), IPPROTO_TCP, TCP_NODELAY, 1);
  return out;
}

void Outside::show(in_addr peer) {
  if (shown_.insert(peer.s_addr).second) netlink_->add_local(peer);
}

void Outside::hide(in_addr peer) {
  if (shown_.erase(peer.s_addr) > 0) netlink_->remove_local(peer);
}

void Outside::end(const PendingConnection& opening, int icmp_code) {
  if (!raw_)
    in_a_thread([this] {
      enter_network(namespace_.get());
      raw_ = base::FileDescriptor(base::checked(
          ::socket(AF_INET, SOCK_RAW | SOCK_CLOEXEC, IPPROTO_RAW), "opening a raw socket"));
    });
  // The message, and in it the beginning of the packet that it is about.
  struct {
    iphdr ip{};
    icmphdr icmp{};
    iphdr about{};
    std::uint16_t from = 0, to = 0;
    std::uint32_t sequence = 0;
  } packet;
  packet.ip.version = packet.about.version = 4;
  packet.ip.ihl = packet.about.ihl = 5;
  packet.ip.ttl = packet.about.ttl = 64;
  packet.ip.tot_len = htons(sizeof packet);
  packet.ip.protocol = IPPROTO_ICMP;
  packet.ip.saddr = packet.about.daddr = opening.to.sin_addr.s_addr;
  packet.ip.daddr = packet.about.saddr = address_.s_addr;
  packet.about.tot_len = htons(sizeof(iphdr) + sizeof(tcphdr));
  packet.about.protocol = IPPROTO_TCP;
  packet.from = htons(opening.port);
  packet.to = opening.to.sin_port;
  packet.sequence = htonl(opening.sequence);
  packet.icmp.type = ICMP_DEST_UNREACH;
  packet.icmp.code = static_cast<std::uint8_t>(icmp_code);
  packet.icmp.checksum = internet_checksum(&packet.icmp, sizeof packet - sizeof packet.ip);
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_addr = address_;
  base::checked(
      sendto(raw_.get(), &packet, sizeof packet, 0, reinterpret_cast<sockaddr*>(&to), sizeof to),
      "ending a connection");
}

std::uint32_t sequence_of_syn(int socket) {
  int reuse = 0;  // the lookup changes it
  socklen_t size = sizeof reuse;
  getsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &reuse, &size);
  set_option(socket, IPPROTO_TCP, TCP_REPAIR, TCP_REPAIR_ON);
  set_option(socket, IPPROTO_TCP, TCP_REPAIR_QUEUE, TCP_SEND_QUEUE);
  std::uint32_t next = 0;
  size = sizeof next;
  base::checked(getsockopt(socket, IPPROTO_TCP, TCP_QUEUE_SEQ, &next, &size),
                "asking for a sequence number");
  set_option(socket, IPPROTO_TCP, TCP_REPAIR, TCP_REPAIR_OFF_NO_WP);
  set_option(socket, SOL_SOCKET, SO_REUSEADDR, reuse);
  return next - 1;  // the SYN counts as one byte
}

}  // namespace sim::guest
