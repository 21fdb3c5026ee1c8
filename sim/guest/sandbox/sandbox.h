// One guest machine as a tree of processes that ends with this process: its init in namespaces of
// its own, or a plain subreaper. A first program runs below the init, under the time filter.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/files/file_descriptor.h"
#include "sim/guest/sandbox/guest_root.h"
#include "sim/guest/sandbox/level.h"
#include "sim/guest/sandbox/random_files.h"
#include "sim/guest/time/supervisor.h"

namespace sim::guest {

// Passed to the first program when it starts after a reboot.
struct Reboot {
  Time now{};
  Duration takes{};  // virtual, until the operating system is up
};

struct SandboxSpec {
  GuestRoot root;        // at kPlain only its level is used
  bool metadata = true;  // listens as the instance metadata service, too
  bool lockstep = false;
  bool writes = false;               // are handed over (FilterOptions)
  std::vector<std::string> command;  // the first program and its arguments
  // Instead of the command: runs in the guest's first process and returns its exit status.
  std::function<int(const std::map<std::string, std::string>& environment, const Reboot*)> program;
  std::map<std::string, std::string> environment;        // kPlain adds the endpoints' variables
  std::string folder = "/";                              // the first program's working folder
  std::filesystem::path job_events = "/run/job-events";  // made as a FIFO, in the guest
  int console = -1;                                      // its standard output and error
};

// What a guest in namespaces has beside the endpoint: TLS on its port 443, and names at its port 53
// over UDP and TCP.
struct InternetSockets {
  base::FileDescriptor tls, name_datagrams, name_stream;
};

// A message of a guest's init.
struct SandboxMessage {
  enum class Kind { kFirstExited, kEmpty, kPowerOff, kReboot, kGone } kind;
  int status = 0;  // kFirstExited: as a shell has it, 128 + signal for one that was killed
};

class Sandbox {
 public:
  // Throws std::runtime_error that says what could not be set up. The first program waits in its
  // first trapped call until the supervisor adopts it.
  static Sandbox start(const SandboxSpec& spec);
  Sandbox(Sandbox&&) = default;
  Sandbox& operator=(Sandbox&&) = delete;
  ~Sandbox();  // kills

  pid_t init() const { return init_; }
  // A process of the host's in the guest's user, mount and network namespaces, but outside its PID
  // namespace: no program of the guest can name it. The host looks through it (/proc/PID/root,
  // /proc/PID/ns), because the init is closed to everybody. At kPlain it is the init.
  pid_t inside() const { return inside_; }
  // The guest's file system, seen from the host; "/" at kPlain.
  std::filesystem::path root() const;
  // The files that the guest has written to its root, also after the guest has ended.
  const RootFiles& root_files() const { return root_files_; }

  // Starts the first program again when no process runs. It waits as at the beginning, and its
  // notifications must be taken again. False if the init has ended.
  bool start_again(const Reboot& reboot);

  // Owned by the caller when taken.
  base::FileDescriptor take_notifications() { return std::move(notifications_); }
  base::FileDescriptor take_endpoint() { return std::move(endpoint_); }
  InternetSockets take_internet() { return std::move(internet_); }  // empty at kPlain
  // Empty where /dev/fuse cannot be used: the guest then has the kernel's own.
  RandomFiles take_random() { return std::move(random_); }
  base::FileDescriptor take_metadata() { return std::move(metadata_); }
  base::FileDescriptor take_job_events() { return std::move(job_events_); }

  int messages() const { return control_.get(); }  // readable when there are some
  // The next message, without waiting. kGone (the init died by itself) comes last.
  std::optional<SandboxMessage> receive();
  // Every process of the guest but its init, now.
  std::vector<pid_t> processes() const;
  // The processes that get SIGTERM when the system ends: all except those that only wait for the
  // output of others, such as tee. These end after the others, when they have passed on the last
  // output.
  std::vector<pid_t> to_terminate() const;
  // SIGKILL to everything; returns when nothing of the guest runs any more.
  void kill();

 private:
  Sandbox() = default;

  Level level_ = Level::kPlain;
  pid_t init_ = -1, inside_ = -1;
  base::FileDescriptor control_, notifications_, endpoint_, metadata_, job_events_;
  InternetSockets internet_;
  RandomFiles random_;
  RootFiles root_files_;
};

// Tries to set up a sandbox without a guest; empty when it works, else what failed. For obstacle().
std::string try_sandbox(const GuestRoot& root);

}  // namespace sim::guest
