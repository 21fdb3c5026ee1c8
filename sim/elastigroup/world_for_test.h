// Tests only: a cloud (sim/cloud/world_for_test.h) with the Elastigroup service above it.
#pragma once

#include <string>

#include "sim/cloud/world_for_test.h"
#include "sim/elastigroup/elastigroups.h"

namespace sim::elastigroup {

using cloud::InstanceId;
using cloud::Notice;
using cloud::VolumeId;

struct GroupWorld : cloud::CloudWorld {
  using CloudWorld::CloudWorld;

  // p3.2xlarge in 2a and 2b, where 2b is cheaper; one instance.
  static GroupSpec spec() {
    return {.name = "training",
            .capacity = {.minimum = 0, .maximum = 4, .target = 1},
            .on_demand_type = "p3.2xlarge",
            .spot_types = {"p3.2xlarge"},
            .zones = {{"us-west-2a", ""}, {"us-west-2b", ""}},
            .launch = {.image_id = "ami-1"}};
  }
  // The same, with a persistent data volume at /dev/sdf.
  static GroupSpec stateful(BlockDevicesMode mode) {
    GroupSpec with = spec();
    with.persistence = {.block_devices = true, .mode = mode};
    with.launch.block_devices = {{.device = "/dev/sdf", .volume = {.size_gib = 100}}};
    return with;
  }
  // The group's only member, once its instance runs.
  const Member& launched(GroupSpec with) {
    group = service.create(std::move(with)).id;
    run(60s);
    return member();
  }
  const Member& member() const { return *service.group(group).members.at(0); }
  const cloud::Instance& instance() const { return cloud.instance(member().instance); }
  // The past states of the stateful instance: "RESUME RESUMING ACTIVE".
  std::string steps() const {
    std::string all;
    for (const Event& event : of_kind("elastigroup.instance"))
      all += (all.empty() ? "" : " ") + event.fields.at("to").get<std::string>();
    return all;
  }
  // Deletes the group with its volumes and snapshots.
  void end() {
    service.remove(group, {.volumes = true, .snapshots = true});
    run(10min);
    EXPECT_FALSE(service.any_active());
  }

  Elastigroups service{simulation, log, streams, cloud};
  std::string group;
};

}  // namespace sim::elastigroup
