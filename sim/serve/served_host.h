// Machines on which nothing runs: they boot, their metadata can be read, and they go when told.
#pragma once

#include "sim/cloud/host.h"
#include "sim/kernel/simulation.h"

namespace sim::serve {

class IdleHost : public cloud::Host {
 public:
  explicit IdleHost(Simulation& simulation) : simulation_(simulation) {}

  void boot(const cloud::Instance&) override {}
  void shut_down(const cloud::Instance&, cloud::Shutdown, std::function<void()> gone) override {
    simulation_.after(Duration{}, std::move(gone));
  }
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
  Simulation& simulation_;
};

}  // namespace sim::serve
