// The calls of guests in which the simulated machine takes part. The supervisor asks a
// SupervisorHooks before it serves such a call, and reports to it what a user should know about a
// guest.
//
// Each function has a default, as if there were no machine: calls go on natively, nothing takes
// time, and reports are ignored. `guest` is the token that Supervisor::adopt() returned.
#pragma once

#include <sys/socket.h>
#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/files/file_descriptor.h"
#include "sim/guest/time/calls/warm_calls.h"
#include "sim/kernel/time.h"

namespace sim::guest {

// A guest's mount(2): the calling task, and the arguments as the task wrote them. Paths are
// relative to /proc/TID/cwd and /proc/TID/root. Absent texts are empty.
struct MountCall {
  int guest = 0;
  pid_t tid = 0;
  std::string source, target, filesystem;
  unsigned long flags = 0;
  std::string options;
};

// The machine loses power when one of its files has this many bytes.
struct PowerCut {
  std::int64_t bytes = 0;
  std::function<void()> then;  // called when they are written; the guest's call never returns
};

// A guest's connect(2).
struct ConnectCall {
  int guest = 0;
  sockaddr_storage to{};
  socklen_t size = 0;                            // of `to`
  std::function<base::FileDescriptor()> socket;  // duplicates the guest's; empty with errno
};
// The answer to a held connect(2), 0 or an errno, once it is known. The supervisor asks between the
// guests' steps, after wake(), and only while the call waits. It destroys the function when the
// call ends.
using ConnectAnswer = std::function<std::optional<int>()>;

// A task of a guest that does not rest.
struct BusyTask {
  int guest = 0;
  pid_t process = 0;      // its number in the guest
  std::string command;    // the beginning of its command line
  std::string_view does;  // "polls", "computes"; "calls": makes calls that are trapped
};

class SupervisorHooks {
 public:
  virtual ~SupervisorHooks() = default;

  // ---- time
  // Virtual time passes from `from` to `to`, while a program of the guest computes or polls
  // (spinning_tasks.h).
  virtual void computed(int /*guest*/, Time /*from*/, Time /*to*/) {}
  // A guest reads a clock, sleeps or polls: the virtual time that the guest owes, for disk
  // transfers since the last call. The call is served only when that time has passed.
  virtual Duration charge(int /*guest*/) { return {}; }
  // In lockstep, whether a guest's task may read clocks without a call for a while (clock_lease.h).
  // False if the guest might come to owe time while no call of Supervisor::end_lease() is made.
  virtual bool lendable(int /*guest*/) { return true; }

  // ---- files
  // A guest's fsync, fdatasync, syncfs or sync: performs the call on the duplicated descriptor (-1
  // for sync) and returns the virtual time that it takes. The guest's call returns 0 that much
  // later. A std::system_error becomes the call's errno. Empty: the call goes on natively.
  virtual std::optional<Duration> sync(int /*guest*/, int /*descriptor*/, int /*syscall_number*/) {
    return {};
  }
  // A guest is about to open a file so that each write goes to its disk (O_SYNC, O_DSYNC,
  // O_DIRECT). The path is as the guest sees it, here and below.
  virtual void written_through(int /*guest*/, const std::filesystem::path& /*file*/) {}
  // A guest is about to make a FIFO, if the filter passes that call on (FilterOptions::fifos).
  virtual void make_fifo(int /*guest*/, const std::filesystem::path& /*fifo*/) {}
  // A guest's call that writes to a descriptor of the task, where the filter hands it over
  // (FilterOptions::writes), before anything is written. Empty: the call goes on natively, and so
  // does one that ends before the file has the bytes.
  virtual std::optional<PowerCut> write(int /*guest*/, pid_t, int /*descriptor*/) { return {}; }
  // A guest's ioctl(2) with one of kControlRequests (control_calls.h). The argument is a number or
  // points at memory of ours, which goes back to the guest where the answer is 0. Returns 0 or the
  // errno to answer with; empty: the call goes on natively.
  virtual std::optional<int> control(int /*guest*/, int /*duplicated_descriptor*/,
                                     std::uint32_t /*request*/, std::uint64_t /*argument*/) {
    return {};
  }
  // A guest's mount(2) or umount2(2), where the filter hands it over (FilterOptions::mounts).
  // Returns 0 or the errno to answer with; empty: the call goes on natively.
  virtual std::optional<int> mount(const MountCall&) { return {}; }
  virtual std::optional<int> unmount(int /*guest*/, pid_t, const std::string& /*target*/) {
    return {};
  }

  // ---- network
  // A guest's connect(2). An empty answer: the call goes on natively.
  virtual ConnectAnswer connect(ConnectCall) { return {}; }

  // ---- starts from memory images (warm_calls.h)
  // A descriptor of the memory image by which the task shall start this program; -1: none.
  virtual int memory_image(int /*guest*/, pid_t, const std::string& /*program*/) { return -1; }
  // A guest takes random numbers.
  virtual void took(int /*guest*/, TakenRecord) {}
  // What the guest has taken, from 0 on; empty: no more is known.
  virtual std::optional<TakenRecord> taken(int /*guest*/, std::size_t /*index*/) { return {}; }

  // ---- reports
  // A guest makes a call that no guest may make (refused_calls.h).
  virtual void refused(int /*guest*/, std::string_view /*call*/) {}
  // A guest's program is about to end with one of kReportedStatuses (reported_exits.h). Its
  // descriptors are still open.
  virtual void exits(int /*guest*/, pid_t, int /*status*/) {}
  // Other tasks had their turn, or time passed, while a task did not rest (spinning_tasks.h): what
  // follows depends on this machine's speed.
  virtual void spun(const BusyTask&) {}
  // A task has not rested for SupervisorOptions::busy_after.
  virtual void busy(const BusyTask&) {}
};

}  // namespace sim::guest
