// For tests: the cloud's small world with Auto Scaling, and short functions that make groups.
#pragma once

#include <string>
#include <vector>

#include "sim/autoscaling/groups.h"
#include "sim/cloud/world_for_test.h"

namespace sim::autoscaling {

using cloud::InstanceId;
using cloud::kA;
using cloud::kB;
using cloud::kC;
using cloud::kStart;
using cloud::usd;

struct World : cloud::CloudWorld {
  using CloudWorld::CloudWorld;

  // A request for a spot instance.
  static LaunchRequest spot(const std::string& type = "p3.2xlarge", const char* price = "3.06") {
    return {.spec = {.image_id = "ami-1", .instance_type = type, .max_price = usd(price)},
            .spot = true};
  }
  static LaunchRequest on_demand() {
    return {.spec = {.image_id = "ami-1", .instance_type = "m4.xlarge"}};
  }
  static LaunchSource source(const LaunchRequest& request) {
    return {.launch_configuration = "lc", .read = [request] { return request; }};
  }
  // The settings of a group in us-west-2a and us-west-2b.
  static Settings settings(const LaunchRequest& request, int desired = 1, int max = 4) {
    return {.source = source(request),
            .max = max,
            .desired = desired,
            .places = {{"us-west-2a"}, {"us-west-2b"}}};
  }
  const Group& make(const Settings& settings, const std::vector<Hook>& hooks = {}) {
    groups.create("g", settings, {}, hooks);
    return groups.group("g");
  }
  // Makes a group whose spot instances are in service.
  const Group& running(int desired = 1, const std::vector<Hook>& hooks = {}) {
    const Group& made = make(settings(spot(), desired), hooks);
    run(1min);
    return made;
  }
  const Member& member(std::size_t n = 0) { return groups.group("g").members.at(n); }
  // The states of all instances, such as "InService InService".
  std::string states() {
    std::string all;
    for (const Member& each : groups.group("g").members)
      (all += all.empty() ? "" : " ") += name(each.state);
    return all;
  }
  // All states that an instance had in its group.
  std::string way(const InstanceId& id) const { return path("autoscaling.instance", id.value); }
  const Activity& last() const { return groups.activities().back(); }

  Groups groups{simulation, log, streams, cloud};
};

}  // namespace sim::autoscaling
