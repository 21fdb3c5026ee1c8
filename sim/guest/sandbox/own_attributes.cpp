#include "sim/guest/sandbox/own_attributes.h"

#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

namespace sim::guest {
namespace {

struct SoftLimit {
  __rlimit_resource which;
  rlim_t value;
};

// Linux's own at a boot, as systemd hands them to a service. RLIMIT_RTPRIO is the lockstep's, and
// RLIMIT_NICE is raised with the hard limits (own_namespaces.cpp).
constexpr SoftLimit kSoftLimits[] = {
    {RLIMIT_CPU, RLIM_INFINITY},
    {RLIMIT_FSIZE, RLIM_INFINITY},
    {RLIMIT_DATA, RLIM_INFINITY},
    {RLIMIT_STACK, 8 << 20},
    {RLIMIT_CORE, 0},
    {RLIMIT_RSS, RLIM_INFINITY},
    {RLIMIT_NPROC, RLIM_INFINITY},
    {RLIMIT_NOFILE, 1024},
    {RLIMIT_MEMLOCK, 8 << 20},
    {RLIMIT_AS, RLIM_INFINITY},
    {RLIMIT_LOCKS, RLIM_INFINITY},
    {RLIMIT_SIGPENDING, 65536},
    {RLIMIT_MSGQUEUE, 819200},
    {RLIMIT_RTTIME, RLIM_INFINITY},
};

void set_soft_limits() {
  for (const SoftLimit& limit : kSoftLimits) {
    rlimit now{};
    if (getrlimit(limit.which, &now) != 0) continue;
    const rlimit raised{limit.value, std::max(limit.value, now.rlim_max)};
    if (setrlimit(limit.which, &raised) == 0) continue;
    now.rlim_cur = std::min(limit.value, now.rlim_max);  // only root may raise the hard one
    setrlimit(limit.which, &now);
  }
}

}  // namespace

void forget_the_caller() {
  umask(022);
  for (int signal = 1; signal < NSIG; ++signal) ::signal(signal, SIG_DFL);
  set_soft_limits();
  setpriority(PRIO_PROCESS, 0, 0);
  // Not by libc, which would wait for threads of the process that this one was cloned from.
  static_cast<void>(!syscall(SYS_setgroups, 0, nullptr));
  std::ofstream("/proc/self/oom_score_adj") << 0;
  std::ofstream("/proc/self/coredump_filter") << "0x33";  // the kernel's default
  prctl(PR_SET_TIMERSLACK, 50'000);                       // ns, the kernel's default
  prctl(PR_SET_THP_DISABLE, 0, 0, 0, 0);
  // /proc/self/cgroup then shows "/". The guest's root has no rights over the namespace, for it
  // belongs to the user namespace that the guest is not root of.
  static_cast<void>(!unshare(CLONE_NEWCGROUP));
}

}  // namespace sim::guest
