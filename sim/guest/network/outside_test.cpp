#include "sim/guest/network/outside.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sched.h>

#include <thread>

namespace sim::guest {
namespace {

// A new network namespace. Empty if this machine does not allow one.
base::FileDescriptor new_namespace() {
  base::FileDescriptor made;
  std::thread([&] {
    if (unshare(CLONE_NEWNET) == 0)
      made = base::FileDescriptor(open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC));
  }).join();
  return made;
}

TEST(Outside, CanBeReplacedAtOnceWhenUnplugged) {
  const base::FileDescriptor guest = new_namespace();
  if (!guest) GTEST_SKIP() << "no network namespace can be made here without root";
  const in_addr address{inet_addr("172.31.0.10")};
  const VpcBlock vpc{{inet_addr("172.31.0.0")}, 16};
  for (int i = 0; i < 20; ++i) {
    Outside outside(guest.get(), address, 20, vpc);
    outside.unplug();
  }
}

}  // namespace
}  // namespace sim::guest
