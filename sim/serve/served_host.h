// Machines that boot, whose metadata can be read, and that go when told. Nothing runs on them
// except the containers of training jobs, which are models as in a fiber guest.
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
  // All outlive it.
  ServedHost(Simulation& simulation, EventLog& log, const Streams& streams,
             const run::Scenario& scenario, guest::TrainerModel trainer);
  // The cloud needs its host first: told before anything boots.
  void connect(cloud::Cloud& cloud);

  void boot(const cloud::Instance&) override {}
  void shut_down(const cloud::Instance&, cloud::Shutdown, std::function<void()> gone) override;
  cloud::ContainerFolder container_folder(const cloud::InstanceId&) override;
  // Throws std::runtime_error where the model cannot do what the job asks for.
  bool run_container(const cloud::Instance&, const cloud::Container&,
                     cloud::ContainerHooks) override;
  void stop_container(const cloud::InstanceId&, Duration grace) override;

  void create_disk(const cloud::Volume&) override {}
  void delete_disk(const cloud::VolumeId&) override {}
  // Nobody writes, so a disk holds nothing.
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
  const run::Scenario& scenario_;
  const guest::TrainerModel trainer_;
  std::optional<guest::JobPlaces> places_;
  std::optional<guest::FiberContainers> containers_;
};

// What a training job's container computes: the scenario's `trainer`, else ten minutes of steps.
guest::TrainerModel served_trainer(const run::Scenario& scenario);

}  // namespace sim::serve
