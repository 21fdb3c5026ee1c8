#include "sim/guest/time/seccomp_filter.h"

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/futex.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <initializer_list>
#include <iterator>
#include <span>

#include "sim/guest/time/architecture.h"
#include "sim/guest/time/calls/control_calls.h"
#include "sim/guest/time/calls/refused_calls.h"
#include "sim/guest/time/reported_exits.h"

namespace sim::guest {
namespace {

constexpr std::uint32_t kNotify = SECCOMP_RET_USER_NOTIF;
constexpr std::uint32_t kAllow = SECCOMP_RET_ALLOW;
constexpr std::uint32_t kErrno = SECCOMP_RET_ERRNO;
constexpr std::uint32_t kWrittenThrough = O_DSYNC | O_DIRECT;  // O_SYNC has O_DSYNC in it

// Builds the program on the stack: the caller may be a child of a threaded process, which may not
// allocate. Each rule tests the call's number, skips to the next rule if it is another call, and
// else ends in a return.
class FilterProgram {
 public:
  FilterProgram() {
    load(offsetof(seccomp_data, arch));
    jump(BPF_JEQ, kAuditArchitecture, 1, 0);
    ret(SECCOMP_RET_KILL_PROCESS);
    load(offsetof(seccomp_data, nr));
  }

  void always(std::initializer_list<int> numbers, std::uint32_t action) {
    for (const int number : numbers) {
      jump(BPF_JEQ, number, 0, 1);
      ret(action);
    }
  }

  // Notifies when the pointer argument is not null.
  void if_pointer(int number, int argument) {
    jump(BPF_JEQ, number, 0, 6);
    load_low(argument);
    jump(BPF_JEQ, 0, 0, 2);
    load_high(argument);
    jump(BPF_JEQ, 0, 1, 0);
    ret(kNotify);
    ret(kAllow);
  }

  // Notifies when the int argument is a timeout: positive, or also 0 with `zero`.
  void if_timeout(int number, int argument, bool zero) {
    jump(BPF_JEQ, number, 0, 5);
    load_low(argument);
    jump(BPF_JEQ, 0, zero ? 1 : 2, 0);
    jump(BPF_JSET, 0x80000000U, 1, 0);
    ret(kNotify);
    ret(kAllow);
  }

  // Notifies when the int argument has this value.
  void if_equal(int number, int argument, std::uint32_t value) {
    jump(BPF_JEQ, number, 0, 4);
    load_low(argument);
    jump(BPF_JEQ, value, 0, 1);
    ret(kNotify);
    ret(kAllow);
  }

  // Notifies when the int argument has one of these values.
  void if_one_of(int number, int argument, std::span<const std::uint32_t> values) {
    auto left = static_cast<std::uint8_t>(values.size());
    jump(BPF_JEQ, number, 0, left + 3);
    load_low(argument);
    for (const std::uint32_t value : values) jump(BPF_JEQ, value, left--, 0);
    ret(kAllow);
    ret(kNotify);
  }

  // Notifies when the int argument is TIOCSPTLCK, which unlocks a pseudoterminal before it can be
  // opened, or one of kControlRequests.
  void ioctl(int number, int argument) {
    constexpr std::size_t count = std::size(kControlRequests) + 1;
    jump(BPF_JEQ, number, 0, count + 3);
    load_low(argument);
    jump(BPF_JEQ, TIOCSPTLCK, count, 0);
    for (std::size_t i = 0; i + 1 < count; ++i)
      jump(BPF_JEQ, kControlRequests[i].request, static_cast<std::uint8_t>(count - 1 - i), 0);
    ret(kAllow);
    ret(kNotify);
  }

  // Does this when the argument has any of these bits of its low half.
  void if_flags(int number, int argument, std::uint32_t flags, std::uint32_t action = kNotify) {
    jump(BPF_JEQ, number, 0, 4);
    load_low(argument);
    jump(BPF_JSET, flags, 0, 1);
    ret(action);
    ret(kAllow);
  }

  // Notifies unless the clock measures CPU time: negative numbers, and 2 and 3.
  void if_wall_clock(int number, int argument) {
    jump(BPF_JEQ, number, 0, 6);
    load_low(argument);
    jump(BPF_JSET, 0x80000000U, 3, 0);
    jump(BPF_JEQ, CLOCK_PROCESS_CPUTIME_ID, 2, 0);
    jump(BPF_JEQ, CLOCK_THREAD_CPUTIME_ID, 1, 0);
    ret(kNotify);
    ret(kAllow);
  }

  // Notifies of waits with a timeout, and of all wakes, to match waiters that the supervisor holds.
  // With `all_of_one_process`, also of waits without a timeout that only tasks of one process can
  // end.
  void futex(int number, bool all_of_one_process) {
    jump(BPF_JEQ, number, 0, 17);
    load_low(1);
    statement(BPF_ALU | BPF_AND | BPF_K, 0x7f);  // the command without its flags
    jump(BPF_JEQ, FUTEX_WAKE, 12, 0);
    jump(BPF_JEQ, FUTEX_WAKE_BITSET, 11, 0);
    jump(BPF_JEQ, FUTEX_WAKE_OP, 10, 0);
    jump(BPF_JEQ, FUTEX_REQUEUE, 9, 0);
    jump(BPF_JEQ, FUTEX_CMP_REQUEUE, 8, 0);
    jump(BPF_JEQ, FUTEX_WAIT, 1, 0);
    jump(BPF_JEQ, FUTEX_WAIT_BITSET, 0, 7);
    load_low(3);
    jump(BPF_JEQ, 0, 0, 4);
    load_high(3);  // only when the low half is null: otherwise the accumulator is not
    jump(BPF_JEQ, 0, 0, 2);
    load_low(1);
    jump(BPF_JSET, all_of_one_process ? FUTEX_PRIVATE_FLAG : 0, 0, 1);
    ret(kNotify);
    ret(kAllow);
  }

  // Denies calls whose arguments do not matter, or cannot be read.
  void deny_for_good() {
    // A cgroup namespace of its own would let a guest change the cgroup that the simulator is in.
    if_flags(SYS_unshare, 0, CLONE_NEWCGROUP, kErrno | EPERM);
    if_flags(SYS_clone, 0, CLONE_NEWCGROUP, kErrno | EPERM);
    always({SYS_io_uring_setup, kFutexWaitv, kFutexWake, kFutexWait, kFutexRequeue},
           kErrno | ENOSYS);
    // Their flags are in memory, which the filter cannot read; libraries fall back to the older
    // calls.
    always({SYS_clone3, SYS_mount_setattr, kOpenTreeAttr}, kErrno | ENOSYS);
  }

  int install(unsigned more_flags) {
    ret(kAllow);
    sock_fprog program{count_, code_};
    const unsigned flags = more_flags | SECCOMP_FILTER_FLAG_SPEC_ALLOW;
    long fd = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program);
    if (fd < 0 && errno == EACCES && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0)
      fd = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program);
    return static_cast<int>(fd);
  }

 private:
  static constexpr unsigned short kCapacity = 384;

  void statement(int code, std::uint32_t k) {
    if (count_ == kCapacity) __builtin_trap();  // a bug: the rules are fixed at compile time
    code_[count_++] = {static_cast<std::uint16_t>(code), 0, 0, k};
  }
  void jump(int code, std::uint32_t k, std::uint8_t yes, std::uint8_t no) {
    statement(BPF_JMP | code | BPF_K, k);
    code_[count_ - 1].jt = yes;
    code_[count_ - 1].jf = no;
  }
  void load(std::size_t offset) {
    statement(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offset));
  }
  // Little-endian machines only, which the architecture table is.
  void load_low(int argument) { load(offsetof(seccomp_data, args) + 8 * argument); }
  void load_high(int argument) { load(offsetof(seccomp_data, args) + 8 * argument + 4); }
  void ret(std::uint32_t action) { statement(BPF_RET | BPF_K, action); }

  sock_filter code_[kCapacity];
  unsigned short count_ = 0;
};

}  // namespace

int install_time_filter(const FilterOptions& options) {
  FilterProgram filter;
  filter.if_wall_clock(SYS_clock_gettime, 0);
  filter.futex(SYS_futex, options.lockstep);
  if (options.lockstep) {
    filter.always({SYS_set_robust_list, SYS_sched_yield}, kNotify);
    filter.if_flags(SYS_wait4, 2, WNOHANG);
    filter.if_flags(SYS_waitid, 3, WNOHANG);
  }
  filter.if_wall_clock(SYS_clock_nanosleep, 0);
  filter.always({SYS_nanosleep, SYS_gettimeofday, SYS_getrandom, SYS_sysinfo}, kNotify);
  filter.always({SYS_timer_settime, SYS_timer_gettime, SYS_timer_getoverrun, SYS_timer_delete,
                 SYS_timerfd_settime, SYS_timerfd_gettime},
                kNotify);
  filter.if_wall_clock(SYS_timer_create, 0);
  filter.if_equal(SYS_setitimer, 0, 0);  // ITIMER_REAL
  filter.if_equal(SYS_getitimer, 0, 0);
  filter.if_pointer(SYS_pselect6, 4);
  filter.if_pointer(SYS_ppoll, 2);
  filter.if_pointer(SYS_epoll_pwait2, 3);
  filter.if_pointer(SYS_rt_sigtimedwait, 2);
  filter.if_timeout(SYS_epoll_pwait, 3, options.lockstep);
#ifdef __x86_64__
  filter.always({SYS_time, SYS_alarm}, kNotify);
  filter.if_flags(SYS_open, 1, kWrittenThrough);
  filter.if_pointer(SYS_select, 4);
  filter.if_timeout(SYS_poll, 2, options.lockstep);
  filter.if_timeout(SYS_epoll_wait, 3, options.lockstep);
#endif
  filter.if_equal(kNewImageCall, 0, kNewImageArgument);
  filter.ioctl(SYS_ioctl, 1);
  filter.always({SYS_io_submit, SYS_sched_setaffinity, SYS_sched_setscheduler, SYS_sched_setattr},
                kNotify);
  filter.always({SYS_fsync, SYS_fdatasync, SYS_syncfs, SYS_sync}, kNotify);
  filter.if_flags(SYS_openat, 2, kWrittenThrough);
  if (options.mounts) filter.always({SYS_mount, SYS_umount2}, kNotify);
  if (options.writes) {
    filter.always({SYS_write, SYS_pwrite64, SYS_writev, SYS_pwritev, SYS_pwritev2}, kNotify);
    filter.always({SYS_copy_file_range, SYS_sendfile, SYS_splice}, kErrno | ENOSYS);
  }
  filter.always({SYS_bind, SYS_listen, SYS_connect}, kNotify);
  filter.if_pointer(SYS_sendto, 4);
  if (options.fifos) {
    filter.if_flags(SYS_mknodat, 2, S_IFIFO);
#ifdef __x86_64__
    filter.if_flags(SYS_mknod, 1, S_IFIFO);
#endif
  }
  filter.if_one_of(SYS_exit_group, 0, kReportedStatuses);
  if (options.one_user) {
    filter.always({SYS_setgroups, SYS_setuid, SYS_setgid, SYS_setreuid, SYS_setregid, SYS_setresuid,
                   SYS_setresgid, SYS_fchown, SYS_fchownat},
                  kErrno);
#ifdef __x86_64__
    filter.always({SYS_chown, SYS_lchown}, kErrno);
#endif
  }
  for (const RefusedCall& call : kRefusedCalls) filter.always({call.number}, kNotify);
  filter.deny_for_good();
  return filter.install(SECCOMP_FILTER_FLAG_NEW_LISTENER);
}

// A call that must be traced fails with ENOSYS in a process without a tracer. A notification comes
// before it (seccomp(2)), so the supervisor refuses the guest's program and logs it.
int install_init_filter() {
  FilterProgram filter;
  for (const RefusedCall& call : kRefusedCalls) filter.always({call.number}, SECCOMP_RET_TRACE);
  filter.deny_for_good();
  return filter.install(0);
}

}  // namespace sim::guest
