// Tests only: the cloud's toy world with Auto Scaling in it, and short ways to say what a group is.
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

  // Requests a spot instance of this type with this maximum price.
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
  // In us-west-2a and 2b.
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
  // A group of spot instances that are in service.
  const Group& running(int desired = 1, const std::vector<Hook>& hooks = {}) {
    const Group& made = make(settings(spot(), desired), hooks);
    run(1min);
    return made;
  }
  const Member& member(std::size_t n = 0) { return groups.group("g").members.at(n); }
  // "InService InService"
  std::string states() {
    std::string all;
    for (const Member& each : groups.group("g").members)
      (all += all.empty() ? "" : " ") += name(each.state);
    return all;
  }
  // The states that an instance went through in its group.
  std::string way(const InstanceId& id) const { return path("autoscaling.instance", id.value); }
  const Activity& last() const { return groups.activities().back(); }

  Groups groups{simulation, log, streams, cloud};
};

}  // namespace sim::autoscaling
