#include "sim/guest/time/lockstep.h"

#include <linux/perf_event.h>
#include <sys/personality.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/system_call.h"

namespace sim::guest {
namespace {

base::FileDescriptor count_switches(int cpu) {
  perf_event_attr what{};
  what.size = sizeof what;
  what.type = PERF_TYPE_SOFTWARE;
  what.config = PERF_COUNT_SW_CONTEXT_SWITCHES;
  return base::FileDescriptor(
      static_cast<int>(syscall(SYS_perf_event_open, &what, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC)));
}

}  // namespace

bool lockstep_permitted() {
  const int before = sched_getscheduler(0);
  sched_param parameters{};
  if (before < 0 || sched_getparam(0, &parameters) != 0) return false;
  const sched_param fifo{1};
  if (sched_setscheduler(0, SCHED_FIFO, &fifo) != 0) return false;
  return sched_setscheduler(0, before, &parameters) == 0;
}

bool join_lockstep() {
  // Programs take addresses for randomness: bash seeds $RANDOM with one.
  if (personality(ADDR_NO_RANDOMIZE) < 0) return false;
  const sched_param fifo{1};
  return sched_setscheduler(0, SCHED_FIFO, &fifo) == 0;
}

int precede_lockstep() {
  const sched_param before{2};
  return sched_setscheduler(0, SCHED_FIFO, &before);
}

LockstepCpu::LockstepCpu() {
  const int here = sched_getcpu();
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(here, &one);
  base::checked(sched_getaffinity(0, sizeof before_, &before_), "asking for the supervisor's CPUs");
  base::checked(sched_setaffinity(0, sizeof one, &one), "pinning the supervisor to a CPU");
  switches_ = count_switches(here);
}

LockstepCpu::~LockstepCpu() { sched_setaffinity(0, sizeof before_, &before_); }

std::optional<std::uint64_t> LockstepCpu::switches() const {
  std::uint64_t count = 0;
  if (!switches_ || read(switches_.get(), &count, sizeof count) != sizeof count) return {};
  return count;
}

}  // namespace sim::guest
