// The waits that a machine's hibernation interrupts. It stops all tasks by SIGSTOP, which ends
// their calls in the kernel. When the machine resumes, the kernel makes the same calls again, with
// the whole timeout. On EC2 a wait takes only its rest. This class remembers the deadlines.
#pragma once

#include <linux/seccomp.h>
#include <sys/types.h>

#include <cstring>
#include <map>
#include <optional>

#include "sim/guest/time/guest_clock.h"
#include "sim/kernel/time.h"

namespace sim::guest {

class InterruptedWaits {
 public:
  // The machine hibernates while the task waits in this call.
  void add(pid_t tid, const seccomp_data& call, Time deadline, WhileAsleep while_asleep) {
    waits_.insert_or_assign(tid, Wait{call, deadline, while_asleep});
  }
  // The machine resumes after this time.
  void wake_up(Duration slept) {
    for (auto& [tid, wait] : waits_)
      if (!wait.made_again && wait.while_asleep == WhileAsleep::kStops) wait.deadline += slept;
  }
  // The task makes a call. Its interrupted wait is over, unless this is the same call again.
  void called(pid_t tid, const seccomp_data& call) {
    const auto at = waits_.find(tid);
    if (at == waits_.end()) return;
    const bool again = std::memcmp(&at->second.call, &call, sizeof call) == 0;
    if (!again || at->second.made_again)
      waits_.erase(at);
    else
      at->second.made_again = true;
  }
  // The deadline of the wait that the task's present call continues. Empty if there is none.
  std::optional<Time> deadline(pid_t tid) const {
    const auto at = waits_.find(tid);
    if (at == waits_.end() || !at->second.made_again) return {};
    return at->second.deadline;
  }

 private:
  struct Wait {
    seccomp_data call;
    Time deadline;
    WhileAsleep while_asleep;
    bool made_again = false;
  };
  std::map<pid_t, Wait> waits_;
};

}  // namespace sim::guest
