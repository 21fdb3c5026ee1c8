// The parts of FiberHost, for its own files only.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "fakes/direct.h"
#include "orchestrator/command_line.h"
#include "orchestrator/job/user_data.h"
#include "sim/cloud/cloud.h"
#include "sim/guest/fiber/fiber_containers.h"
#include "sim/guest/fiber/fiber_host.h"
#include "sim/guest/fiber/job_places.h"
#include "sim/guest/fiber/machine_model.h"
#include "sim/guest/fiber/operator_aws.h"
#include "sim/guest/fiber/program.h"
#include "sim/guest/fiber/volume_models.h"
#include "sim/kernel/random.h"

namespace sim::guest {

// One machine: an instance, or the operator's.
struct FiberMachine {
  FiberMachine(MachineModel::Surroundings surroundings, const std::string& in_name,
               const std::string& instance_type, Time launched, Stream in_random)
      : name(in_name),
        random(std::move(in_random)),
        model(std::move(surroundings), in_name, instance_type, launched) {}

  std::string name;
  Stream random;               // for all its programs
  cloud::InstanceId instance;  // empty: the operator's machine
  MachineModel model;
  fakes::DirectHandler aws;
  fakes::Handler metadata;
  std::function<void()> gone;  // set during a shutdown
  std::optional<EventId> deadline;
  std::map<cloud::VolumeId, std::function<void()>> releases;  // volumes to release
  bool ended = false;                                         // its program has ended
  std::unique_ptr<Program> program;  // declared last, because it uses the members above
};

struct FiberHost::State : cloud::Observer {
  State(Simulation& in_simulation, EventLog& in_log, const Streams& in_streams,
        std::shared_ptr<const FiberConfig> in, FiberOptions in_options)
      : simulation(in_simulation),
        log(in_log),
        streams(in_streams),
        shared_config(std::move(in)),
        options(std::move(in_options)) {}

  FiberMachine& start(const std::string& name, const std::string& instance_type, Time launched,
                      const cloud::InstanceId& instance, std::function<int(FiberMachine&)> body);
  int run_spotrun(FiberMachine& machine, const spotrun::CommandLine& line,
                  const std::map<std::string, std::string>& files);
  int run_plan(FiberMachine& machine);
  int run_user_data(FiberMachine& machine);
  int run_job(FiberMachine& machine, const spotrun::UserData& user_data);
  int run_for_group(FiberMachine& machine, const cloud::Instance& instance);
  OperatorAws aws_of(FiberMachine& machine, const fakes::Handler& handler);
  fakes::DirectHandler services_of(const std::string& name);
  void ended(const std::string& name, int status);
  void finish(const std::string& name);
  void release_when_unmounted(const std::string& name, const cloud::VolumeId& volume);
  void take(FiberMachine& machine, const cloud::VolumeId& volume);
  void stop_run(const std::string& name, const std::string& what);
  void give_up(const std::string& what);
  void metadata_changed(const cloud::InstanceId& instance);

  // ---- cloud::Observer: changes that wake waiting programs
  void changed() override;
  void rebalance_recommended(const cloud::Instance& instance) override {
    metadata_changed(instance.id);
  }
  void noticed(const cloud::Instance& instance, const std::string&) override {
    metadata_changed(instance.id);
  }

  Simulation& simulation;
  EventLog& log;
  const Streams& streams;
  const std::shared_ptr<const FiberConfig> shared_config;
  const FiberConfig& config = *shared_config;
  const FiberOptions options;
  fakes::Backend* backend = nullptr;
  std::function<void(int)> operator_exited;
  std::map<cloud::VolumeId, VolumeModel> volumes;
  struct Snapshot {
    VolumeContent content;
    std::int64_t stored = 0;
  };
  std::map<cloud::SnapshotId, Snapshot> snapshots;
  SlowRestores slow_restores;
  std::optional<JobPlaces> places;
  std::optional<FiberContainers> containers;
  std::map<std::string, std::unique_ptr<FiberMachine>> machines;
  std::string failure;
};

}  // namespace sim::guest
