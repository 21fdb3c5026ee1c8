// Receives a guest's trapped calls and sends the answers (seccomp_unotify(2)).
#pragma once

#include <linux/seccomp.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "base/files/file_descriptor.h"

namespace sim::guest {

using Notification = seccomp_notif;

// Owns the notification descriptor of one guest. A call is identified by its notification's ID
// until it is answered or the task is interrupted.
class Listener {
 public:
  explicit Listener(base::FileDescriptor descriptor);

  int descriptor() const { return descriptor_.get(); }
  // Takes the next trapped call. It blocks unless poll() has reported a call. Empty if the task
  // died.
  std::optional<Notification> receive();
  // Whether the task still waits in this call. False after a signal or the task's death, which end
  // the call.
  bool waits(std::uint64_t id) const;

  // Each answer returns false, without effect, if the call is over.
  bool answer(std::uint64_t id, std::int64_t value) const;
  bool fail(std::uint64_t id, int error) const;
  // Answers with a duplicate of our descriptor. Also returns false if the task can have no more
  // descriptors.
  bool answer_with(std::uint64_t id, int descriptor) const;
  bool go_on(std::uint64_t id) const;  // lets the kernel perform the call

 private:
  bool send(std::uint64_t id, std::int64_t value, int error, std::uint32_t flags) const;

  base::FileDescriptor descriptor_;
  std::vector<std::uint64_t> buffer_;  // may be longer than the structure in our header
};

}  // namespace sim::guest
