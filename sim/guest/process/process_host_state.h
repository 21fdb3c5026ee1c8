// What ProcessHost's parts share; private to them.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "sim/guest/disks/disks.h"
#include "sim/guest/process/machine.h"
#include "sim/guest/process/process_host.h"
#include "sim/guest/process/run_folder.h"

namespace sim::guest {

struct ProcessHost::State {
  State(Simulation&, EventLog&, const Streams&, fakes::Server&, GuestConfig);
  ~State();

  // ---- boot (process_host.cpp)
  Machine& start(const std::string& name, const cloud::InstanceId& instance, SandboxSpec spec);
  SandboxSpec spec_for(const std::string& name, const std::string& hostname);
  FileDescriptor open_console(const std::string& name) const;

  // ---- what happens in the machines; a source of the supervisor
  bool poll();
  bool poll(const std::string& name);
  void handle(Machine& machine, const SandboxMessage& message);

  // ---- the end (process_host_shutdown.cpp)
  void stop_gracefully(Machine& machine);
  void finish(const std::string& name);  // everything of it ends now; runs its `gone`
  void let_go(Machine& machine);

  // ---- devices (process_host_disks.cpp)
  Machine* machine_of(int guest);
  std::filesystem::path device_path(const Machine& machine, const std::string& device) const;
  void release_when_unmounted(const std::string& name, const cloud::VolumeId& volume);
  void take_device(Machine& machine, const cloud::VolumeId& volume);
  Duration charge(int guest);
  Duration sync(int guest, int descriptor, int call);
  std::optional<int> mount(const Supervisor::MountCall& call);
  std::optional<int> unmount(pid_t task, const std::string& target);

  Simulation& simulation;
  EventLog& log;
  fakes::Server& server;
  const GuestConfig config;
  fakes::World* world = nullptr;
  RunFolder folder;
  Disks disks;
  FileDescriptor news;  // epoll, of what machines tell; the supervisor's token comes with it
  Supervisor supervisor;
  std::string git_config;
  std::map<std::string, std::unique_ptr<Machine>> machines;
  std::map<int, Machine*> machine_of_guest;  // by the supervisor's token
};

}  // namespace sim::guest
