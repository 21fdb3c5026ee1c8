// A running machine, which is an instance or the operator's, and the table of all machines.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "fakes/http/server.h"
#include "sim/cloud/ids.h"
#include "sim/guest/process/console/console_device.h"
#include "sim/guest/process/console/container_output.h"
#include "sim/guest/process/progress/job_events.h"
#include "sim/guest/process/progress/log_watch.h"
#include "sim/guest/process/progress/progress_reader.h"
#include "sim/guest/sandbox/sandbox.h"
#include "sim/kernel/simulation.h"

namespace sim::guest {

// The state of one machine that the parts of ProcessHost share. ProcessHost::State makes and
// removes it; each part reads and changes the members that concern it.
struct Machine {
  std::string name;            // instance ID or "operator"
  cloud::InstanceId instance;  // empty: the operator's
  Sandbox sandbox;
  JobEvents events;
  ConsoleDevice console;
  int guest = 0;                                       // the supervisor's token
  std::vector<int> listeners;                          // the server's tokens
  bool empty = false;                                  // only its init is left
  Time unmounted{};                                    // when the volume has the unmounted data
  std::vector<std::filesystem::path> written_through;  // such files opened since the last charge
  std::function<void()> gone;                          // set while the machine shuts down
  std::optional<EventId> deadline;                     // end of the operating system's grace period
  std::function<void(int status)> exited;
  std::optional<ContainerOutput> output = {};  // of a container
  bool halting = false;                        // its programs end, and its disks remain
  std::optional<Duration> reboot_takes;        // set if it starts again when it has halted
  std::vector<std::function<void()>> at_rest;  // called when it has halted
  Time up_at{};                                // when its system is up after the last restart
  bool cut_from_network = false;               // until it starts again
  bool frozen = false;                         // it hibernates
  std::set<pid_t> stopped_before;              // while frozen: processes that a signal had stopped
  int reboots = 0;

  struct Plug {
    std::vector<std::string> names;  // "/dev/xvdf" …: the device and links to it
    std::function<void()> released;  // set while the guest is to release the volume
    bool full = false;               // filled by a fault
  };
  std::map<cloud::VolumeId, Plug> plugs;
  std::optional<RootDisk> root_disk;  // as guests see it
  cloud::VolumeId root_volume;        // empty: the root is no volume
  bool keeps_root = false;            // the root volume outlives the machine
  Time full_until = Time::min(), skewed_until = Time::min();  // end of the fault that lasts longest

  struct Progress {  // read by the scenario's rule
    LogTail log;
    FilesWatch files;
    std::optional<ProgressReader> reader;
  };
  std::unique_ptr<Progress> progress;                 // null: no rule, or no instance
  std::set<std::string, std::less<>> refused;         // calls that are already logged
  std::set<std::string, std::less<>> command_errors;  // already logged
  std::chrono::microseconds waited_for_readers{};     // real time, for command_errors
  std::set<std::pair<pid_t, std::string_view>> spun;  // already logged of spinning tasks
  int names = 0;                                      // the name server's token; 0: none
  std::set<std::string, std::less<>> unknown_names;   // already logged

  // Descriptors that are readable when the guest has sent something. Without a console there is one
  // fewer.
  std::vector<int> heard_from() const;
};

// The running machines, by name and by the supervisor's token.
class Machines {
 public:
  using Table = std::map<std::string, std::unique_ptr<Machine>>;

  const Table& all() const { return table_; }
  // Returns null if no running machine has this name or token.
  Machine* find(const std::string& name) const;
  Machine* of(int guest) const;

  // Adds a machine with a unique name.
  Machine& add(Machine machine);
  // Sets the machine's token, so that of() finds the machine.
  void set_guest(Machine& machine, int guest);
  // Takes the machine out of the table.
  std::unique_ptr<Machine> take(const std::string& name);

 private:
  Table table_;
  std::map<int, Machine*> by_guest_;
};

}  // namespace sim::guest
