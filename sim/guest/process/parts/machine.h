// A machine that runs, an instance's or the operator's, and the table of all machines.
#pragma once

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
#include "sim/guest/sandbox/network_settings.h"
#include "sim/guest/sandbox/sandbox.h"
#include "sim/kernel/simulation.h"

namespace sim::guest {

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
  std::vector<std::filesystem::path> written_through;  // opened so since the last charge
  std::function<void()> gone;                          // set while it shuts down
  std::optional<EventId> deadline;                     // of the operating system's grace
  std::function<void(int status)> exited;
  std::optional<ContainerOutput> output = {};  // of a container
  std::optional<Duration> reboot_takes;        // set while all ends for a reboot
  std::vector<std::function<void()>> at_rest;  // run when a reboot has ended all
  int reboots = 0;
  NetworkSettings network_settings;  // as its first boot found them

  struct Plug {
    std::vector<std::string> names;  // "/dev/xvdf" …: the device's, and of links to it
    std::function<void()> released;  // set while the guest is asked to let go
    bool full = false;               // by a fault
  };
  std::map<cloud::VolumeId, Plug> plugs;
  std::optional<RootDisk> root_disk;                          // as it is shown
  cloud::VolumeId root_volume;                                // empty: it is no volume
  bool keeps_root = false;                                    // at its end
  Time full_until = Time::min(), skewed_until = Time::min();  // by the faults that last longest

  struct Progress {  // as the scenario's rule reads it
    LogTail log;
    FilesWatch files;
    std::optional<ProgressReader> reader;
  };
  std::unique_ptr<Progress> progress;          // null: there is no rule, or it is no instance
  std::set<std::string, std::less<>> refused;  // calls that are in the log already
  std::set<std::string, std::less<>> command_errors;  // that are in the log already
  std::set<std::pair<pid_t, std::string_view>> spun;  // what is in the log of tasks that spin
  int names = 0;                                      // the name server's token; 0: none
  std::set<std::string, std::less<>> unknown_names;   // that are in the log already

  // Descriptors that are readable when the guest has news; without a console, fewer.
  std::vector<int> heard_from() const;
};

// The machines that run, by name and by the supervisor's token.
class Machines {
 public:
  using Table = std::map<std::string, std::unique_ptr<Machine>>;

  const Table& all() const { return table_; }
  // Null: no machine of this name, or with this token, runs.
  Machine* find(const std::string& name) const;
  Machine* of(int guest) const;

  // Adds a machine with a unique name.
  Machine& add(Machine machine);
  // Lets of() find the machine, which has its token now.
  void set_guest(Machine& machine, int guest);
  // Takes the machine out of the table.
  std::unique_ptr<Machine> take(const std::string& name);

 private:
  Table table_;
  std::map<int, Machine*> by_guest_;
};

}  // namespace sim::guest
