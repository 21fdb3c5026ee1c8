// The faults inside of an instance: of its programs, disks, files, clock, code and power.
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

// The part of ProcessHost that applies GuestFaults to real programs and disks. Most faults act at
// once. A power cut waits until the watched file has the given size, which on_write() checks at
// each write.
class MachineFaults {
 public:
  MachineFaults(HostContext&, const Machines&, Disks&, Consoles&);

  // ---- GuestHost's functions
  void inflict(const cloud::InstanceId&, const GuestFault&);
  void cut_power_at(const cloud::InstanceId&, FileCut);

  // Whether a power cut of this instance is pending.
  bool will_cut(const cloud::InstanceId& instance) const { return cuts_.contains(instance); }
  // SupervisorHooks::write.
  std::optional<PowerCut> on_write(Machine&, pid_t tid, int descriptor);
  // Removes the file that fills the machine's volumes.
  void make_room(Machine&);

 private:
  struct WatchedCut {
    FileCut cut;
    // Names in the file's folder, if the cut is for a file that is written again.
    std::set<std::string> there;
  };

  void kill_for_memory(const Machine&, const std::string& program);
  void trouble_disks(Machine&, const GuestFault&);
  void skew_clock(Machine&, const GuestFault&);
  void hide_code(Duration lasts);

  HostContext& context_;
  const Machines& machines_;
  Disks& disks_;
  Consoles& consoles_;
  // Pending cuts. The first one to be reached applies.
  std::map<cloud::InstanceId, std::vector<WatchedCut>> cuts_;
  Time code_hidden_until_ = Time::min();
};

}  // namespace sim::guest
