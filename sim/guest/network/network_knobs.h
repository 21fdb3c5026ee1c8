// Delays and bandwidths between instances: the scenario's `network`.
#pragma once

#include <chrono>
#include <cstdint>

#include "sim/kernel/time.h"

namespace sim::guest {

struct NetworkPath {
  Duration round_trip{};
  std::int64_t bandwidth = 0;  // bytes per second of one connection in one direction
};

// Default round trips: common measurements between instances of one region. Bandwidth: EC2's 5
// Gbit/s for one flow outside of a cluster placement group (EC2 user guide, "Amazon EC2 instance
// network bandwidth").
struct NetworkKnobs {
  NetworkPath within_zone{std::chrono::microseconds{200}, 625'000'000};
  NetworkPath between_zones{std::chrono::milliseconds{1}, 625'000'000};
  // The total of an instance's connections, in each direction ("Up to 10 Gigabit" of most types).
  std::int64_t instance_bandwidth = 1'250'000'000;
};

}  // namespace sim::guest
