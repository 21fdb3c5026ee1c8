// Machines of a served cloud. They boot, show metadata and shut down. Nothing runs on them except
// the containers of training jobs, which are the models of fiber guests.
#pragma once

#include <optional>
#include <string>

#include "sim/cloud/cloud.h"
#include "sim/guest/fiber/fiber_containers.h"
#include "sim/guest/guest_host.h"
#include "sim/kernel/simulation.h"
#include "sim/scenario/scenario.h"

namespace sim::serve {

class ServedHost : public cloud::Host, public guest::FaultTarget {
 public:
  // All arguments must outlive this object.
  ServedHost(Simulation& simulation, EventLog& log, const Streams& streams,
             const scenario::Scenario& scenario, guest::TrainerModel trainer);
  // Connects the cloud, which needs its host first. It must be called before an instance boots.
  void connect(cloud::Cloud& cloud);

  void boot(const cloud::Instance&) override {}
  void shut_down(const cloud::Instance&, cloud::Shutdown, std::function<void()> gone) override;
  cloud::ContainerFolder container_folder(const cloud::InstanceId&) override;
  // Throws std::runtime_error if the model cannot do what the job needs.
  bool run_container(const cloud::Instance&, const cloud::Container&,
                     cloud::ContainerHooks) override;
  void stop_container(const cloud::InstanceId&, Duration grace) override;

  void create_disk(const cloud::Volume&) override {}
  void delete_disk(const cloud::VolumeId&) override {}
  // A reboot is possible, because no program runs that it would end.
  bool can(guest::GuestFault::What what) const override {
    return what == guest::GuestFault::What::kReboot;
  }

  // No program writes, so a disk stores no bytes.
  std::int64_t snapshot_disk(const cloud::SnapshotId&, const cloud::VolumeId&) override {
    return 0;
  }
  void delete_snapshot_disk(const cloud::SnapshotId&) override {}
  void plug(const cloud::VolumeId&, const cloud::InstanceId&, const std::string&) override {}
  void unplug(const cloud::VolumeId&, const cloud::InstanceId&, bool,
              std::function<void()> released) override {
    simulation_.after(Duration{}, std::move(released));
  }

 private:
  bool has_image(const std::string& image) const;

  Simulation& simulation_;
  EventLog& log_;
  const Streams& streams_;
  const scenario::Scenario& scenario_;
  const guest::TrainerModel trainer_;
  std::optional<guest::JobPlaces> places_;
  std::optional<guest::FiberContainers> containers_;
};

// The work of a training job's container: the scenario's `trainer`, else ten minutes of steps.
guest::TrainerModel served_trainer(const scenario::Scenario& scenario);

}  // namespace sim::serve
