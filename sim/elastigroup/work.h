// The state of a group's member while Elastigroups works on it.
#pragma once

#include <optional>

#include "sim/elastigroup/elastigroups.h"

namespace sim::elastigroup {

struct Elastigroups::Work {
  Group* group = nullptr;
  Member member;
  bool announced = false;          // its state has been logged
  bool woken = false;              // an event that continues its work is scheduled
  bool drains = false;             // the target was lowered, and it ends
  bool short_of_capacity = false;  // the last attempt found no market
  std::optional<EventId> retry = {}, backup = {}, drained = {}, revert = {};

  // A requested action is about to end the instance.
  bool is_to_end() const {
    return is_in(StatefulState::kPause) || is_in(StatefulState::kDeallocate) ||
           is_in(StatefulState::kRecycle);
  }
  const Persistence& persistence() const { return group->spec.persistence; }
  bool reattaches() const {
    return persistence().block_devices && persistence().mode == BlockDevicesMode::kReattach;
  }
  // Whether the next launch gets a copy of the device instead of the device itself.
  bool copies(const Device& device) const {
    if (device.root) return persistence().root_device;
    return persistence().block_devices && persistence().mode == BlockDevicesMode::kOnLaunch;
  }
  bool copies() const {
    return persistence().root_device ||
           (persistence().block_devices && persistence().mode == BlockDevicesMode::kOnLaunch);
  }
  bool is_in(StatefulState state) const { return member.state == state; }
};

}  // namespace sim::elastigroup
