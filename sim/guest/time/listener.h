// A guest's seccomp notifications: trapped calls come in, answers go out.
#pragma once

#include <linux/seccomp.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "base/files/file_descriptor.h"

namespace sim::guest {

using Notification = seccomp_notif;

class Listener {
 public:
  explicit Listener(base::FileDescriptor descriptor);

  int descriptor() const { return descriptor_.get(); }
  // Takes the next trapped call. Without a call that poll() reported, this function waits. Empty if
  // the task died.
  std::optional<Notification> receive();
  // The task still waits in this call. False after a signal or its death: then the call is over.
  bool waits(std::uint64_t id) const;

  // Each false when the call is over (then nothing happened).
  bool answer(std::uint64_t id, std::int64_t value) const;
  bool fail(std::uint64_t id, int error) const;
  // The answer is a duplicate of our descriptor; false also when the task can have no more.
  bool answer_with(std::uint64_t id, int descriptor) const;
  bool go_on(std::uint64_t id) const;  // the kernel carries the call out

 private:
  bool send(std::uint64_t id, std::int64_t value, int error, std::uint32_t flags) const;

  base::FileDescriptor descriptor_;
  std::vector<std::uint64_t> buffer_;  // the kernel's structure may be longer than our header's
};

}  // namespace sim::guest
