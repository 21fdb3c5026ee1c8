#include "sim/guest/sandbox/descriptor_passing.h"

#include <sys/socket.h>

#include <array>
#include <cstring>

#include "base/process/system_call.h"

namespace sim::guest {
namespace {
constexpr std::size_t kMostDescriptors = 16;
constexpr std::size_t kMostText = 1024;
}  // namespace

void send_packet(int socket, const std::string& text, const std::vector<int>& descriptors) {
  alignas(cmsghdr) std::array<char, CMSG_SPACE(kMostDescriptors * sizeof(int))> control{};
  iovec data{const_cast<char*>(text.data()), std::min(text.size(), kMostText)};
  msghdr message{};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  if (!descriptors.empty()) {
    const std::size_t bytes = descriptors.size() * sizeof(int);
    message.msg_control = control.data();
    message.msg_controllen = CMSG_SPACE(bytes);
    cmsghdr* header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(bytes);
    std::memcpy(CMSG_DATA(header), descriptors.data(), bytes);
  }
  base::checked(sendmsg(socket, &message, MSG_NOSIGNAL), "sending descriptors");
}

Packet receive_packet(int socket) {
  alignas(cmsghdr) std::array<char, CMSG_SPACE(kMostDescriptors * sizeof(int))> control{};
  Packet out;
  out.text.resize(kMostText);
  iovec data{out.text.data(), out.text.size()};
  msghdr message{};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  ssize_t size;
  do size = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
  while (size < 0 && errno == EINTR);
  base::checked(size, "receiving descriptors");
  out.text.resize(static_cast<std::size_t>(size));
  for (cmsghdr* header = CMSG_FIRSTHDR(&message); header; header = CMSG_NXTHDR(&message, header)) {
    if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
    std::array<int, kMostDescriptors> fds{};
    const std::size_t bytes = header->cmsg_len - CMSG_LEN(0);
    std::memcpy(fds.data(), CMSG_DATA(header), bytes);
    for (std::size_t i = 0; i < bytes / sizeof(int); ++i) out.descriptors.emplace_back(fds[i]);
  }
  return out;
}

}  // namespace sim::guest
