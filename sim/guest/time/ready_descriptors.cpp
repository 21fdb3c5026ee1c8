#include "sim/guest/time/ready_descriptors.h"

#include <utility>

namespace sim::guest {

bool ReadyDescriptors::add(int pidfd, int descriptor, short events) {
  FileDescriptor own = duplicate(pidfd, descriptor);
  if (!own) return false;
  polled_.push_back({own.get(), events, 0});
  duplicates_.push_back(std::move(own));
  return true;
}

int ReadyDescriptors::look() {
  return polled_.empty() ? 0 : ::poll(polled_.data(), polled_.size(), 0);
}

void end_on_signal(const TrappedCall& call, HeldCall& held, std::uint64_t mask_at) {
  if (mask_at == 0) return;
  const auto mask = call.read<std::uint64_t>(mask_at);
  if (!mask) return;
  held.ready_when_quiet = [call, mask = *mask] {
    if (deliverable_signals(call.tid(), mask) == 0) return false;
    call.go_on();
    return true;
  };
}

}  // namespace sim::guest
