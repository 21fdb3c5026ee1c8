// EBS's volume types: their sizes, what a customer may provision, and how fast they are. Sources:
// EBS user guide, "Amazon EBS volume types" and the pages of each family below it; EC2 API
// reference, CreateVolume.
#pragma once

#include <cstdint>
#include <string_view>

#include "sim/cloud/config.h"
#include "sim/cloud/resources.h"

namespace sim::cloud {

struct VolumeType {
  std::string_view name;
  int least_gib, most_gib;
  int least_iops, most_iops;      // that may be provisioned; 0: none
  int most_iops_per_gib;          // of these
  int most_mib_per_second;        // that may be provisioned; 0: none
  Usd Prices::*gb_month;          // a GiB for a month
  Usd Prices::*iops_month;        // a provisioned IOPS for a month; null: none, or in the GiB
  Usd Prices::*throughput_month;  // a provisioned MiB/s for a month, likewise
};

// What gp3 has at no further price.
inline constexpr int kGp3Iops = 3000, kGp3MibPerSecond = 125;

// Throws UnknownVolumeType.
const VolumeType& volume_type(std::string_view name);

// Size, IOPS and throughput as the type has them; what is not given is filled in. Throws
// InvalidParameterValue and its like for what the type does not have.
void check_and_complete(VolumeSpec& spec);

// The settings of a volume of the same type and size, without zone and content. IOPS and throughput
// are a choice only where the type has them.
VolumeSpec spec_like(const Volume& volume);

// How fast a volume is. Credits are I/Os above `iops`, earned at that rate while fewer are made;
// a new volume has them all.
struct VolumePerformance {
  std::int64_t bytes_per_second = 0;  // at most, in large transfers
  std::int64_t io_bytes = 256 << 10;  // what follows one another is one I/O up to here
  double iops = 0;                    // always
  double burst_iops = 0;              // while there are credits
  double credits = 0;                 // at most
};
VolumePerformance performance(const Volume& volume);

}  // namespace sim::cloud
