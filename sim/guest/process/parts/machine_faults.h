// What goes wrong inside of an instance: its programs, disks, files, clock, code and power.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "sim/guest/disks/disks.h"
#include "sim/guest/file_cut.h"
#include "sim/guest/guest_fault.h"
#include "sim/guest/process/parts/consoles.h"
#include "sim/guest/process/parts/host_context.h"
#include "sim/guest/process/parts/machine.h"

namespace sim::guest {

class MachineFaults {
 public:
  MachineFaults(HostContext&, const Machines&, Disks&, Consoles&);

  // ---- GuestHost's functions
  void inflict(const cloud::InstanceId&, const GuestFault&);
  void cut_power_at(const cloud::InstanceId&, FileCut);

  // Whether an instance's power is to be cut while it writes a file.
  bool will_cut(const cloud::InstanceId& instance) const { return cuts_.contains(instance); }
  // SupervisorHooks::write.
  std::optional<PowerCut> on_write(Machine&, pid_t tid, int descriptor);
  // Removes what fills the machine's volumes.
  void make_room(Machine&);

 private:
  struct WatchedCut {
    FileCut cut;
    std::set<std::string> there;  // names in its folder, where it is for a file written again
  };

  void kill_for_memory(const Machine&, const std::string& program);
  void trouble_disks(Machine&, const GuestFault&);
  void skew_clock(Machine&, const GuestFault&);
  void hide_code(Duration lasts);

  HostContext& context_;
  const Machines& machines_;
  Disks& disks_;
  Consoles& consoles_;
  std::map<cloud::InstanceId, std::vector<WatchedCut>> cuts_;  // whichever comes first
  Time code_hidden_until_ = Time::min();
};

}  // namespace sim::guest
