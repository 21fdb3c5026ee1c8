// An instance that EC2 takes back, as interruptions of a scenario and faults do it.
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

}  // namespace sim::faults
