// Which instance types can hibernate (EC2 user guide, "Prerequisites for EC2 instance hibernation",
// for Linux).
#pragma once

#include <string>
#include <string_view>

#include "sim/market/instance_types.h"

namespace sim::market {

// Why instances of the type cannot hibernate; empty if they can.
std::string hibernation_obstacle(const InstanceType& type);

}  // namespace sim::market
