// The private parts of ProcessHost, and the functions that concern all of them: how machines start,
// report, end and start again.
//
//   GuestCalls ──► MachineFaults   TrainerProgress ──► Devices ──► GuestKernel
//        │              │               │
//        │              └► Consoles ◄───┴──── SandboxSpecs ──► Internet
//        └──► MachineNetwork ◄─────────────────────┘
//
// An arrow points from the user to the used part. GuestCalls also uses TrainerProgress and Devices.
// The constructor of a part names the parts that it uses, so a call against an arrow does not
// compile. All parts share the HostContext, and most read the table of Machines, which State alone
// changes. Each part does its share for one machine. State calls the parts in the order that a
// machine's start and end need.
#pragma once

#include <optional>
#include <string>

#include "sim/guest/process/parts/consoles.h"
#include "sim/guest/process/parts/devices.h"
#include "sim/guest/process/parts/guest_calls.h"
#include "sim/guest/process/parts/guest_kernel.h"
#include "sim/guest/process/parts/host_context.h"
#include "sim/guest/process/parts/internet.h"
#include "sim/guest/process/parts/machine.h"
#include "sim/guest/process/parts/machine_faults.h"
#include "sim/guest/process/parts/machine_network.h"
#include "sim/guest/process/parts/roots.h"
#include "sim/guest/process/parts/sandbox_specs.h"
#include "sim/guest/process/parts/trainer_progress.h"
#include "sim/guest/process/parts/warm_programs.h"

namespace sim::guest {

struct ProcessHost::State {
  State(Simulation&, EventLog&, const Streams&, fakes::Server&, GuestConfig);
  ~State();

  // ---- start (process_host.cpp)
  Machine& start(const std::string& name, const cloud::InstanceId& instance, SandboxSpec spec,
                 std::optional<ContainerOutput> output = {});

  // ---- events from machines; a source of the supervisor (process_host_news.cpp) Tokens of
  // descriptors that belong to no guest. The tokens of guests begin at 1.
  static constexpr int kVolumes = 0, kSettingsNews = -1, kQuestions = -2;
  void watch(int descriptor, int token, const std::string& doing);
  bool poll();
  bool poll(const std::string& name);
  void handle(Machine& machine, const SandboxMessage& message);

  // ---- the end (process_host_end.cpp)
  using Step = void (State::*)(const std::string& name);
  void terminate_all(Machine& machine, Step ended, Step overdue);
  void stop_gracefully(Machine& machine);
  void finish(const std::string& name);  // ends everything of the machine, and calls its `gone`
  void cut_power(Machine& machine);      // of its network and volumes
  // ---- reboot: the system halts, and starts again at once
  void begin_reboot(Machine& machine, Duration takes);
  void kill_all(const std::string& name);  // kills programs that still run
  void halted(const std::string& name);    // all programs have ended
  void start_again(Machine& machine, Duration takes);
  void halt_without_power(Machine& machine);
  // ---- hibernation (hibernation.cpp)
  void freeze(Machine& machine);
  void thaw(Machine& machine);

  HostContext context;
  Machines machines;
  // These three have threads, which must not be confined to the supervisor's processor. Therefore
  // the constructor starts them before the supervisor pins this thread to the processor.
  RandomServer random;
  DiskTimes disk_times;
  Disks disks;
  base::FileDescriptor news;  // epoll of events from machines and of the supervisor
  GuestKernel kernel;
  Internet internet;
  Supervisor supervisor;
  MachineNetwork network;
  Consoles consoles;
  Devices devices;
  Roots roots;
  SandboxSpecs specs;
  TrainerProgress progress;
  MachineFaults faults;
  WarmPrograms warm_programs;
  GuestCalls calls;
  bool watches_writes = false;  // writes of all instances
};

}  // namespace sim::guest
