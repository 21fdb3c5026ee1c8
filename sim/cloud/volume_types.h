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
  int least_iops, most_iops;  // range that may be provisioned; 0: none
  int most_iops_per_gib;      // limit of provisioned IOPS
  int most_mib_per_second;    // maximum that may be provisioned; 0: none
  Usd Prices::*gb_month;      // per GiB and month
  Usd Prices::*iops_month;  // per provisioned IOPS and month; null: none, or part of the GiB price
  Usd Prices::*throughput_month;  // per provisioned MiB/s and month; null likewise
};

// The IOPS and throughput of gp3 that cost nothing extra.
inline constexpr int kGp3Iops = 3000, kGp3MibPerSecond = 125;

// The size of Amazon Linux's root volume. Launches without a size get this one.
inline constexpr int kRootGib = 8;

// Throws UnknownVolumeType.
const VolumeType& volume_type(std::string_view name);

// Checks size, IOPS and throughput against the type, and fills in missing ones. Throws
// InvalidParameterValue or a similar code if the type does not allow them.
void check_and_complete(VolumeSpec& spec);

// The settings for another volume of the same type and size, without zone and content. IOPS and
// throughput are included only if the type lets a customer choose them.
VolumeSpec spec_like(const Volume& volume);

// The speed of a volume. Credits permit I/Os above `iops`. They accumulate at that rate while fewer
// I/Os are made; a new volume has all of them.
struct VolumePerformance {
  std::int64_t bytes_per_second = 0;  // maximum, in large transfers
  std::int64_t io_bytes = 256 << 10;  // consecutive bytes up to this count are one I/O
  double iops = 0;                    // without credits
  double burst_iops = 0;              // while there are credits
  double credits = 0;                 // maximum
};
VolumePerformance performance(const Volume& volume);

}  // namespace sim::cloud
