// An instance that EC2 takes back or that loses its power, as interruptions of a scenario and
// faults do it.
#pragma once

#include <string>

#include "sim/cloud/cloud.h"

namespace sim::faults {

// With `volumes_lost` the hardware of the volumes in it fails at the same instant.
inline void take_instance(cloud::Cloud& cloud, const cloud::InstanceId& id,
                          cloud::Cloud::Notice notice, const std::string& reason,
                          bool volumes_lost = false) {
  if (volumes_lost) cloud.lose_volumes(id);
  cloud.interrupt(id, notice, reason);
}

// Its power goes: a spot instance is taken without a notice, of another the host fails.
inline void cut_power(cloud::Cloud& cloud, const cloud::Instance& instance,
                      bool volumes_lost = false) {
  if (instance.shutting_down_at) return;
  if (instance.lifecycle == cloud::Lifecycle::kSpot)
    return take_instance(cloud, instance.id, cloud::Cloud::Notice::kNone, "no-capacity",
                         volumes_lost);
  if (volumes_lost) cloud.lose_volumes(instance.id);
  cloud.fail_host(instance.id);
}

}  // namespace sim::faults
