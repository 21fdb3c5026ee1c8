#include "sim/guest/time/listener.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

namespace sim::guest {

Listener::Listener(base::FileDescriptor descriptor) : descriptor_(std::move(descriptor)) {
  seccomp_notif_sizes sizes{};
  if (syscall(SYS_seccomp, SECCOMP_GET_NOTIF_SIZES, 0, &sizes) != 0)
    throw std::system_error(errno, std::generic_category(), "seccomp notifications");
  const std::size_t bytes = std::max<std::size_t>(sizes.seccomp_notif, sizeof(Notification));
  buffer_.resize((bytes + 7) / 8);
}

std::optional<Notification> Listener::receive() {
  std::fill(buffer_.begin(), buffer_.end(), 0);  // the kernel insists
  if (ioctl(descriptor_.get(), SECCOMP_IOCTL_NOTIF_RECV, buffer_.data()) != 0) return {};
  Notification notification;
  std::memcpy(&notification, buffer_.data(), sizeof notification);
  return notification;
}

bool Listener::waits(std::uint64_t id) const {
  return ioctl(descriptor_.get(), SECCOMP_IOCTL_NOTIF_ID_VALID, &id) == 0;
}

bool Listener::send(std::uint64_t id, std::int64_t value, int error, std::uint32_t flags) const {
  seccomp_notif_resp response{};
  response.id = id;
  response.val = value;
  response.error = -error;
  response.flags = flags;
  return ioctl(descriptor_.get(), SECCOMP_IOCTL_NOTIF_SEND, &response) == 0;
}

bool Listener::answer(std::uint64_t id, std::int64_t value) const { return send(id, value, 0, 0); }
bool Listener::fail(std::uint64_t id, int error) const { return send(id, 0, error, 0); }
bool Listener::answer_with(std::uint64_t id, int descriptor) const {
  const seccomp_notif_addfd added{.id = id,
                                  .flags = SECCOMP_ADDFD_FLAG_SEND,
                                  .srcfd = static_cast<std::uint32_t>(descriptor),
                                  .newfd = 0,
                                  .newfd_flags = O_CLOEXEC};
  return ioctl(descriptor_.get(), SECCOMP_IOCTL_NOTIF_ADDFD, &added) >= 0;
}
bool Listener::go_on(std::uint64_t id) const {
  return send(id, 0, 0, SECCOMP_USER_NOTIF_FLAG_CONTINUE);
}

}  // namespace sim::guest
