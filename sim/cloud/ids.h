// AWS's identifiers. Each kind is a C++ type, so that the compiler finds mix-ups.
#pragma once

#include <compare>
#include <string>

namespace sim::cloud {

template <class Tag>
struct Id {
  std::string value;  // "i-0123456789abcdef0"
  auto operator<=>(const Id&) const = default;
  bool empty() const { return value.empty(); }
};
using InstanceId = Id<struct InstanceTag>;
using VolumeId = Id<struct VolumeTag>;
using SnapshotId = Id<struct SnapshotTag>;
using SpotRequestId = Id<struct SpotRequestTag>;
using FleetId = Id<struct FleetTag>;
using LaunchTemplateId = Id<struct LaunchTemplateTag>;
using ImageId = Id<struct ImageTag>;
using ReservationId = Id<struct ReservationTag>;

}  // namespace sim::cloud
