// One guest machine: a tree of processes that ends with this process. At its top is an init in
// namespaces of its own, or a plain subreaper. The first program runs below the init, under the
// time filter.
#pragma once

#include <sys/types.h>

#include <array>
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
  Duration takes{};  // virtual time until the operating system is up
  // The instance's user data, which may have changed since its first boot.
  std::array<char, 16 * 1024> user_data{};
  std::size_t user_data_size = 0;
};

struct SandboxSpec {
  GuestRoot root;        // at kPlain only its level matters
  bool metadata = true;  // also listens as the instance metadata service
  bool lockstep = false;
  bool writes = false;               // writes are passed to the supervisor (FilterOptions)
  std::vector<std::string> command;  // the first program and its arguments
  // Instead of the command: runs in the guest's first process and returns its exit status.
  std::function<int(const std::map<std::string, std::string>& environment, const Reboot*)> program;
  std::map<std::string, std::string> environment;        // kPlain adds the endpoints' variables
  std::string folder = "/";                              // the first program's working folder
  std::filesystem::path job_events = "/run/job-events";  // made as a FIFO, in the guest
  int console = -1;  // standard output and error of the first program
};

// Further sockets of a guest in namespaces: TLS on its port 443, and DNS on its port 53 over UDP
// and TCP.
struct InternetSockets {
  base::FileDescriptor tls, name_datagrams, name_stream;
};

// A message of a guest's init.
struct SandboxMessage {
  enum class Kind { kFirstExited, kEmpty, kPowerOff, kReboot, kGone } kind;
  int status = 0;  // of kFirstExited, as in a shell: 128 + signal if a signal killed it
};

// Starts and owns the processes of one machine. ProcessHost gives its notification descriptor to
// the supervisor, serves its sockets, and reads the init's messages. The destructor kills all
// processes.
class Sandbox {
 public:
  // Throws std::runtime_error with the step that failed. The first program waits in its first
  // trapped call until the supervisor adopts it.
  static Sandbox start(const SandboxSpec& spec);
  Sandbox(Sandbox&&) = default;
  Sandbox& operator=(Sandbox&&) = delete;
  ~Sandbox();  // kills all processes

  pid_t init() const { return init_; }
  // A process of the host in the guest's user, mount and network namespaces, but outside its PID
  // namespace, so that no program of the guest can name it. The host accesses the guest through it
  // (/proc/PID/root, /proc/PID/ns), because the init is closed to all processes. At kPlain it is
  // the init.
  pid_t inside() const { return inside_; }
  // The guest's file system as a path of the host; "/" at kPlain.
  std::filesystem::path root() const;
  // The files that the guest has written to its root, also after the guest has ended.
  const RootFiles& root_files() const { return root_files_; }

  // Starts the first program again. Call it when no process of the guest runs. The program waits as
  // at the first start, and its notification descriptor must be taken again. Returns false if the
  // init has ended.
  bool start_again(const Reboot& reboot);

  // The caller owns the result.
  base::FileDescriptor take_notifications() { return std::move(notifications_); }
  base::FileDescriptor take_endpoint() { return std::move(endpoint_); }
  InternetSockets take_internet() { return std::move(internet_); }  // empty at kPlain
  // Empty if /dev/fuse cannot be used. The guest then has the kernel's random files.
  RandomFiles take_random() { return std::move(random_); }
  base::FileDescriptor take_metadata() { return std::move(metadata_); }
  base::FileDescriptor take_job_events() { return std::move(job_events_); }

  int messages() const { return control_.get(); }  // readable if there is a message
  // Returns the next message without waiting. kGone (the init died by itself) comes last.
  std::optional<SandboxMessage> receive();
  // All present processes of the guest, except its init.
  std::vector<pid_t> processes() const;
  // The processes that get SIGTERM when the system ends: all except those that only wait for the
  // output of others, such as tee. These end after the others, when they have passed on the last
  // output.
  std::vector<pid_t> to_terminate() const;
  // Sends SIGKILL to all processes, and returns when none runs any more.
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

// Tries to set up a sandbox without a guest. Returns an empty text, or the step that failed. For
// obstacle().
std::string try_sandbox(const GuestRoot& root);

}  // namespace sim::guest
