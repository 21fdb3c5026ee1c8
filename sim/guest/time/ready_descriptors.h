// Duplicates of a guest's descriptors that a held poll, select or epoll_wait waits for.
#pragma once

#include <poll.h>

#include <memory>
#include <vector>

#include "sim/guest/time/trapped_call.h"

namespace sim::guest {

// The kernel bounds these by RLIMIT_NOFILE; no guest is given more than this.
constexpr std::uint64_t kMostDescriptors = 65536;

class ReadyDescriptors {
 public:
  // Adds the guest's descriptor; false when it cannot be watched: not open, or not ours to look at.
  bool add(int pidfd, int descriptor, short events);
  // Polls them without waiting; the number that has something.
  int look();
  // What the i-th added one had in the last look.
  short events(std::size_t i) const { return polled_[i].revents; }
  int descriptor(std::size_t i) const { return polled_[i].fd; }

 private:
  std::vector<FileDescriptor> duplicates_;
  std::vector<pollfd> polled_;
};

// For calls that set a signal mask while they wait: the held call has not set it, so a signal that
// is pending under the old mask and deliverable under the new one must end it. The kernel takes the
// call over then. `mask_at` 0: no mask.
void end_on_signal(const TrappedCall& call, HeldCall& held, std::uint64_t mask_at);

}  // namespace sim::guest
