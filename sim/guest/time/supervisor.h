// The time supervisor: real programs under virtual time. Holds every trapped call until its virtual
// deadline (an event of the simulation), answers clock reads, and lets the next event happen only
// when no guest can run. How it works, what is trapped and what stays real: docs/virtual-time.md.
#pragma once

#include <sys/socket.h>
#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/file_descriptor.h"
#include "sim/guest/time/tasks.h"
#include "sim/guest/time/uptime_files.h"
#include "sim/kernel/random.h"
#include "sim/kernel/simulation.h"

namespace sim::guest {

struct SupervisorOptions {
  bool lockstep = false;                                    // lockstep.h; needs CAP_SYS_NICE
  Duration clock_read_cost = std::chrono::microseconds{1};  // virtual; ends spinning on the clock
  std::chrono::microseconds settle{200};                    // real time between two looks
  std::chrono::seconds busy_after{10};  // real time without a rest, before set_busy() is told
};

class Supervisor {
 public:
  // With lockstep, pins the calling thread to the CPU it runs on, until destruction.
  Supervisor(Simulation& simulation, const Streams& streams, SupervisorOptions options);
  ~Supervisor();
  Supervisor(const Supervisor&) = delete;
  Supervisor& operator=(const Supervisor&) = delete;

  // Takes over a guest: its notification descriptor (owned from here on) and its tasks. `name`
  // seeds the guest's getrandom stream; its monotonic clock starts now. Returns a token. May be
  // called from an event or a source.
  int adopt(int notification_descriptor, std::unique_ptr<TaskList> tasks, const std::string& name);
  // The guest's tasks have ended, and others run in their place, after a reboot: the token stays,
  // its getrandom stream, seeded by `name`, begins anew, and its monotonic clock does when the
  // machine is up, after `boot`.
  void adopt_again(int guest, int notification_descriptor, std::unique_ptr<TaskList> tasks,
                   const std::string& name, Duration boot);
  // From here on the files tell the guest's uptime, also after adopt_again().
  void show_uptime(int guest, std::unique_ptr<UptimeFiles> files);
  // The guest is dead or about to be killed: drops its held calls and timers. Tasks that live on
  // fail their trapped calls with ENOSYS. May be called from an event or a source.
  void release(int guest);
  // Before the host does what a guest's tasks may notice: sends a signal, writes to a socket that
  // they read from, reads from one that is full, makes a device. Tells that they may run.
  void wake(int guest);

  // The guest's real-time clocks are so much ahead from now on; negative: behind.
  void set_clock_skew(int guest, Duration skew);

  // Work that is done between the guests' steps without waiting: the fakes' sockets, event pipes,
  // child exits. True when there was any. Sources are polled in the order they were added.
  void add_source(std::function<bool()> poll);

  // Called when a guest reads a clock, sleeps or polls: virtual time that the guest owes (disk
  // transfers done since the last call). The call is served only when that time has passed.
  // Optional.
  using Charge = std::function<Duration(int guest)>;
  void set_charge(Charge charge);

  // Called for a guest's fsync, fdatasync, syncfs and sync: performs the call on the duplicated
  // descriptor (-1 for sync) and returns the virtual time it takes; the guest's call returns 0 that
  // much later. A std::system_error thrown becomes the call's errno. Optional; without it these
  // calls run natively.
  using Sync = std::function<Duration(int guest, int duplicated_descriptor, int syscall_number)>;
  void set_sync(Sync sync);

  // Called when a guest is about to open a file so that each write to it goes to its disk (O_SYNC,
  // O_DSYNC, O_DIRECT): its path as the guest sees it. Optional.
  using WrittenThrough = std::function<void(int guest, const std::filesystem::path& file)>;
  void set_written_through(WrittenThrough written_through);

  // Called when a guest is about to make a FIFO, where the filter hands it over
  // (FilterOptions::fifos): its path as the guest sees it. Optional.
  using MakeFifo = std::function<void(int guest, const std::filesystem::path& fifo)>;
  void set_make_fifo(MakeFifo make_fifo);

  // A guest's mount(2), with the calling task and its arguments as it wrote them (paths are
  // relative to /proc/TID/cwd and /proc/TID/root; absent texts are empty).
  struct MountCall {
    int guest = 0;
    pid_t tid = 0;
    std::string source, target, filesystem;
    unsigned long flags = 0;
    std::string options;
  };
  // Called for a guest's mount(2) and umount2(2) where the filter hands them over
  // (FilterOptions::mounts). Returns 0 or the errno to answer with; empty: the call goes on
  // natively. Optional.
  using Mount = std::function<std::optional<int>(const MountCall&)>;
  using Unmount =
      std::function<std::optional<int>(int guest, pid_t tid, const std::string& target)>;
  void set_mount(Mount mount, Unmount unmount);

  // The machine stops when its file has so many bytes.
  struct PowerCut {
    std::int64_t bytes = 0;
    std::function<void()> then;  // called when they are written; the guest's call never returns
  };
  // Called for a guest's calls that write to a descriptor of the task, where the filter hands them
  // over (FilterOptions::writes), before anything is written. Empty: they go on natively, and so
  // does a call that ends before the file has the bytes. Optional.
  using Write = std::function<std::optional<PowerCut>(int guest, pid_t tid, int descriptor)>;
  void set_write(Write write);

  // Called for a guest's ioctl(2) with one of kControlRequests (control_calls.h): the argument is a
  // number or points at memory of ours, which goes back to the guest where the answer is 0. Returns
  // 0 or the errno to answer with; empty: the call goes on natively. Optional.
  using Control = std::function<std::optional<int>(int guest, int duplicated_descriptor,
                                                   std::uint32_t request, std::uint64_t argument)>;
  void set_control(Control control);

  // A guest's connect(2).
  struct ConnectCall {
    int guest = 0;
    sockaddr_storage to{};
    socklen_t size = 0;                            // of `to`
    std::function<base::FileDescriptor()> socket;  // duplicates the guest's; empty with errno
  };
  // What a held connect(2) is answered with, 0 or an errno, once it is known. Asked between the
  // guests' steps, after wake(), and only while the call waits; given away when it ends.
  using ConnectAnswer = std::function<std::optional<int>()>;
  // Called for a guest's connect(2). An
  // empty answer: the call goes on natively. Optional.
  using Connect = std::function<ConnectAnswer(ConnectCall)>;
  void set_connect(Connect connect);

  // In lockstep, asked before a guest's task may read clocks without a call for a while
  // (clock_lease.h): false where the guest might owe time meanwhile that end_lease() does not tell
  // of. Optional: none owes any.
  using Lendable = std::function<bool(int guest)>;
  void set_lendable(Lendable lendable);
  // The task that reads clocks without a call asks again at its next read. From any thread that
  // comes before all guests.
  void end_lease();

  // Called when a guest makes a call that none may make (refused_calls.h). Optional.
  using Refused = std::function<void(int guest, std::string_view call)>;
  void set_refused(Refused refused);

  // A task of a guest that does not rest.
  struct BusyTask {
    int guest = 0;
    pid_t process = 0;      // its number in the guest
    std::string command;    // the beginning of its command line
    std::string_view does;  // "polls", "computes"; "calls": makes calls that are trapped
  };
  using Busy = std::function<void(const BusyTask&)>;
  // Called when others had their turn, or time passed, while a task did not rest
  // (spinning_tasks.h): what follows depends on this machine's speed. Optional.
  void set_spun(Busy spun);
  // Called when a task has not rested for SupervisorOptions::busy_after. Optional.
  void set_busy(Busy busy);

  // Runs the world until `done` holds (looked at after every event and source) or nothing can ever
  // happen again (no event pending and all guests quiescent for 200 ms of real time): false then.
  bool run(const std::function<bool()>& done);

  struct Statistics {
    std::uint64_t notifications = 0, clock_reads = 0, events = 0;
    std::uint64_t looks = 0;                // at the tasks of a guest
    std::uint64_t reads_of_tasks = 0;       // of files in /proc, by these looks
    std::uint64_t looks_at_held_calls = 0;  // of the guests that are there
  };
  Statistics statistics() const;

 private:
  void take_over(int token, int notification_descriptor, std::unique_ptr<TaskList> tasks,
                 const std::string& name, Time booted);

  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace sim::guest
