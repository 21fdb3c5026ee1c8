// The scenario's settings of Elastigroup (`elastigroup:`).
#pragma once

#include <chrono>

#include "sim/kernel/time.h"

namespace sim::elastigroup {

struct Knobs {
  // The interval between snapshots of the data volumes of a running instance, with onLaunch. The
  // vendor documents five minutes for root volumes and "periodic" for data volumes.
  Duration backup_interval = std::chrono::minutes{5};
};

}  // namespace sim::elastigroup
