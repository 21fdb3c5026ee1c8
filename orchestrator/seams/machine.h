// The orchestrator's view of its machine: disks and processes.
#pragma once

#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "orchestrator/seams/clock.h"

namespace spotrun {

// The machine could not do something. The message names the action, the path and the reason.
struct MachineError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct DeviceContent {
  enum class Kind { kBlank, kFilesystem, kUnknown } kind;
  std::string filesystem;  // "xfs", "ext4" …; for kUnknown the reason why it is not blank
};

struct Command {
  std::vector<std::string> argv;                   // argv[0] is looked up on PATH
  std::string folder;                              // working directory; empty: the current one
  std::map<std::string, std::string> environment;  // added to this program's own
};

// How a process ended: an exit status, or the signal that killed it.
struct ExitStatus {
  int code = 0;    // 0…255
  int signal = 0;  // 0: it exited by itself
};
// "exit status 1", "killed by signal 9"
inline std::string describe(const ExitStatus& status) {
  return status.signal != 0 ? "killed by signal " + std::to_string(status.signal)
                            : "exit status " + std::to_string(status.code);
}

// The machine on which the orchestrator runs: a real one (LinuxMachine) or a model. Paths are
// absolute paths of the machine, without SPOTRUN_ROOT. All functions throw MachineError.
class Machine {
 public:
  virtual ~Machine() = default;

  // ---- disks
  // The device node of a volume that was attached as `device`, or empty if there is none. The node
  // may have another name: "/dev/sdf" can appear as /dev/xvdf, or as an NVMe disk with the volume's
  // ID as serial number.
  virtual std::optional<std::string> find_device(const std::string& device,
                                                 const std::string& volume_id) = 0;
  virtual DeviceContent probe(const std::string& node) = 0;
  // Makes a filesystem and destroys the device's content. The caller has probed the device before.
  virtual void format(const std::string& node, const std::string& filesystem) = 0;
  // Makes the mount point if it is missing.
  virtual void mount(const std::string& node, const std::string& filesystem,
                     const std::string& mount_point) = 0;
  // Unmounts after writing all data. Does nothing if nothing is mounted there.
  virtual void unmount(const std::string& mount_point) = 0;
  virtual void make_folder(const std::string& path) = 0;
  virtual void remove_folder(const std::string& path) = 0;
  virtual bool exists(const std::string& path) = 0;
  // A text that describes the content of a folder. It changes whenever a file in it or in a
  // subfolder is made, written or removed. Unreadable files do not count.
  virtual std::string state_of(const std::string& folder) = 0;
  virtual void write_file(const std::string& path, const std::string& text) = 0;
  // The path that programs on this machine use. SPOTRUN_ROOT is in front of it.
  virtual std::string local_path(const std::string& path) const = 0;

  // ---- processes
  // Runs a command to its end. If a request to stop arrives, the command gets SIGTERM, and Stopped
  // is thrown when it has ended.
  virtual ExitStatus run(const Command& command) = 0;
  // Starts the trainer. Only one runs at a time, in a process group of its own.
  virtual void start_trainer(const Command& command) = 0;
  // Signals the whole group. No effect if it has ended.
  virtual void signal_trainer(int signal) = 0;
  // Returns at once when the trainer exits, or empty after `timeout`. Throws Stopped like
  // Clock::sleep. `look`: the time of the caller's next poll of something else (state_of). A
  // simulated machine must not skip time-outs from then on.
  virtual std::optional<ExitStatus> wait_trainer(Duration timeout, Time look) = 0;
};

}  // namespace spotrun
