// The seccomp filter that hands calls which wait with a timeout or read a clock to the supervisor.
#pragma once

namespace sim::guest {

struct FilterOptions {
  // Also passes on calls that lockstep must order. These are the calls by which threads of one
  // program start to run at the same time: futex waits without a timeout, sched_yield, and
  // set_robust_list, which is glibc's first call in each thread and each child. They are also the
  // calls by which a program may spin: wait4 and waitid with WNOHANG, poll and epoll_wait with a
  // timeout of 0.
  bool lockstep = false;
  // Also hand over mount and umount2 (SupervisorHooks::mount).
  bool mounts = false;
  // Also passes on calls that write to files (SupervisorHooks::write). Calls by which the kernel
  // copies (copy_file_range, sendfile, splice) fail with ENOSYS, and programs fall back to read and
  // write.
  bool writes = false;
  // Also hand over mknod of a FIFO (SupervisorHooks::make_fifo).
  bool fifos = false;
  // For a user namespace with one user and one group: setgroups, setuid, chown and similar calls
  // succeed and do nothing, because there is nothing that they could change. The kernel returns
  // EINVAL or EPERM, on which su, cron, tar and scripts that give files away would fail.
  bool one_user = false;
};

// Installs the filter in the calling task, for it and all tasks that it will start. Sets
// no_new_privs unless the caller has CAP_SYS_ADMIN. Returns the notification descriptor
// (close-on-exec), or -1 with errno. Async-signal-safe. From here on the task's trapped calls wait
// until Supervisor::adopt() has the descriptor; sendmsg is not trapped.
//
// The filter answers some calls itself:
// - ENOSYS for io_uring_setup and the futex2 calls
// - ENOSYS for calls that could undo a mount's restrictions or hide a flag (mount_setattr,
//   open_tree_attr, clone3)
// - EPERM for a new cgroup namespace
// - death by SIGSYS for a 32-bit program
int install_time_filter(const FilterOptions& options = {});

// The filter of a guest's init. The init waits in calls that are not trapped. Refused calls
// (refused_calls.h) fail with ENOSYS; calls that the time filter answers get the same answer here.
// A program of the guest installs the time filter on top, and the time filter then decides.
// Returns 0, or -1 with errno.
int install_init_filter();

}  // namespace sim::guest
