// ProcessHost's hooks into the calls of its guests. For each call this class finds the machine and
// calls the part that the call concerns.
#pragma once

#include "sim/guest/process/parts/computing_times.h"
#include "sim/guest/process/parts/consoles.h"
#include "sim/guest/process/parts/devices.h"
#include "sim/guest/process/parts/host_context.h"
#include "sim/guest/process/parts/machine.h"
#include "sim/guest/process/parts/machine_faults.h"
#include "sim/guest/process/parts/machine_network.h"
#include "sim/guest/process/parts/trainer_progress.h"
#include "sim/guest/process/parts/warm_programs.h"

namespace sim::guest {

// The supervisor calls these functions while it serves a guest's call. SupervisorHooks explains
// each.
class GuestCalls : public SupervisorHooks {
 public:
  GuestCalls(HostContext&, const Machines&, Devices&, MachineNetwork&, TrainerProgress&,
             MachineFaults&, Consoles&, WarmPrograms&);

  void computed(int guest, Time from, Time to) override;
  Duration charge(int guest) override;
  bool lendable(int guest) override;
  std::optional<Duration> sync(int guest, int descriptor, int call) override;
  void written_through(int guest, const std::filesystem::path& file) override;
  void make_fifo(int guest, const std::filesystem::path& fifo) override;
  std::optional<PowerCut> write(int guest, pid_t task, int descriptor) override;
  std::optional<int> control(int guest, int descriptor, std::uint32_t request,
                             std::uint64_t argument) override;
  std::optional<int> mount(const MountCall&) override;
  std::optional<int> unmount(int guest, pid_t task, const std::string& target) override;
  ConnectAnswer connect(ConnectCall) override;
  int memory_image(int guest, pid_t task, const std::string& program) override;
  void refused(int guest, std::string_view call) override;
  void exits(int guest, pid_t task, int status) override;
  void spun(const BusyTask&) override;
  void busy(const BusyTask&) override;

  const ComputingTimes& computing_times() const { return computing_times_; }

 private:
  HostContext& context_;
  const Machines& machines_;
  Devices& devices_;
  MachineNetwork& network_;
  TrainerProgress& progress_;
  MachineFaults& faults_;
  Consoles& consoles_;
  WarmPrograms& warm_programs_;
  ComputingTimes computing_times_;
};

}  // namespace sim::guest
