// Users, EC2 and the API act on a stateful group in any order. Its states stay on the graph
// (asserted at each change). Once all is quiet, the group reaches its target or can be deleted.
#include <random>

#include "sim/elastigroup/world_for_test.h"

namespace sim::elastigroup {
namespace {

using cloud::ApiError;

class Walk {
 public:
  explicit Walk(unsigned seed) : random_(seed) {
    const auto mode = random_() % 2 ? BlockDevicesMode::kReattach : BlockDevicesMode::kOnLaunch;
    spec_ = GroupWorld::stateful(mode);
    spec_.capacity.target = 2;
    spec_.persistence.private_ip = random_() % 4 == 0;
    spec_.fallback_to_on_demand = random_() % 2;
    world.group = world.service.create(spec_).id;
  }

  void step() {
    try {
      act();
    } catch (const ApiError&) {  // what EC2 or the service refuses
    }
    world.run(std::chrono::seconds(random_() % 3 == 0 ? 0 : random_() % 400));
  }

  // Paused instances are resumed and no action is under way.
  void settle() {
    world.market.set_capacity(cloud::kA, 10);
    world.market.set_capacity(cloud::kB, 10);
    spec_.capacity.target = 2;
    world.service.update(world.group, spec_);
    world.run(2h);
  }

  GroupWorld world;

 private:
  template <class Map>
  typename Map::key_type any(const Map& map) {
    return std::next(map.begin(), static_cast<long>(random_() % map.size()))->first;
  }
  std::string any_member() {
    const auto& members = world.service.group(world.group).members;
    return members.empty() ? "ssi-0" : members[random_() % members.size()]->id;
  }
  void act() {
    auto& cloud = world.cloud;
    auto& service = world.service;
    if (cloud.instances().empty()) return;
    switch (random_() % 14) {
      case 0:
        return cloud.interrupt(any(cloud.instances()), Notice::kGiven, "no-capacity");
      case 1:
        return cloud.interrupt(any(cloud.instances()), Notice::kNone, "by-price");
      case 2:
        return cloud.terminate_instances({any(cloud.instances())});
      case 3:
        return cloud.fail_host(any(cloud.instances()));
      case 4:
        return service.pause(world.group, any_member());
      case 5:
        return service.resume(world.group, any_member());
      case 6:
        return service.recycle(world.group, any_member());
      case 7:
        return service.deallocate(world.group, any_member());
      case 8:
        spec_.capacity.target = static_cast<int>(random_() % 4);
        spec_.persistence.mode =
            random_() % 2 ? BlockDevicesMode::kReattach : BlockDevicesMode::kOnLaunch;
        spec_.persistence.root_device = random_() % 2 == 0;
        service.update(world.group, spec_);
        return;
      case 9:
        world.market.set_capacity(cloud::kA, static_cast<int>(random_() % 2));
        return world.market.set_capacity(cloud::kB, static_cast<int>(random_() % 3));
      case 10:
        cloud.detach_volume(any(cloud.volumes()), {}, true);
        return;
      case 11:
        return cloud.delete_volume(any(cloud.volumes()));
      case 12:
        if (!cloud.snapshots().empty()) cloud.delete_snapshot(any(cloud.snapshots()));
        return;
      case 13:
        cloud.attach_volume(cloud.create_volume({"us-west-2b", 1, "gp2", {}, {}}),
                            any(cloud.instances()), "/dev/sdh");
        return;
    }
  }

  std::mt19937 random_;
  GroupSpec spec_;
};

TEST(ElastigroupWalk, ReachesItsTargetOrReportsWhyNot) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    Walk walk(seed);
    for (int i = 0; i < 60; ++i) walk.step();
    walk.settle();
    for (const Member* member : walk.world.service.group(walk.world.group).members) {
      const bool settled = member->state == StatefulState::kActive ||
                           member->state == StatefulState::kPaused ||
                           member->state == StatefulState::kError;
      const auto& log = walk.world.service.group(walk.world.group).log;
      EXPECT_TRUE(settled || log.back().severity != "INFO")
          << "seed " << seed << ": " << name(member->state) << ", " << log.back().message;
    }
    walk.world.end();
  }
}

}  // namespace
}  // namespace sim::elastigroup
