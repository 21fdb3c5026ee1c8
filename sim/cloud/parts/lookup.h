// Finds a resource by its ID, with EC2's error for an unknown ID.
#pragma once

#include "sim/cloud/error.h"
#include "sim/cloud/ids.h"

namespace sim::cloud {

// The error for an unknown ID, by the kind of resource: "InvalidVolume.NotFound" and so on.
ApiError not_found(const InstanceId& id);
ApiError not_found(const VolumeId& id);
ApiError not_found(const SnapshotId& id);
ApiError not_found(const ImageId& id);
ApiError not_found(const SpotRequestId& id);
ApiError not_found(const FleetId& id);
ApiError not_found(const LaunchTemplateId& id);

// The resource with this ID in a map from IDs to resources. Throws not_found(id).
template <class Table, class Id>
auto& look_up(Table& table, const Id& id) {
  const auto found = table.find(id);
  if (found == table.end()) throw not_found(id);
  return found->second;
}

}  // namespace sim::cloud
