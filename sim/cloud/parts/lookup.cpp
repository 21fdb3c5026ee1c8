#include "sim/cloud/parts/lookup.h"

namespace sim::cloud {

ApiError not_found(const InstanceId& id) {
  return {"InvalidInstanceID.NotFound", "The instance ID '" + id.value + "' does not exist"};
}

ApiError not_found(const VolumeId& id) {
  return {"InvalidVolume.NotFound", "The volume '" + id.value + "' does not exist."};
}

ApiError not_found(const SnapshotId& id) {
  return {"InvalidSnapshot.NotFound", "The snapshot '" + id.value + "' does not exist."};
}

ApiError not_found(const ImageId& id) {
  return {"InvalidAMIID.NotFound", "The image id '[" + id.value + "]' does not exist"};
}

ApiError not_found(const SpotRequestId& id) {
  return {"InvalidSpotInstanceRequestID.NotFound",
          "The spot instance request ID '" + id.value + "' does not exist"};
}

ApiError not_found(const FleetId& id) {
  if (id.value.starts_with("fleet-"))
    return {"InvalidFleetId.NotFound", "The fleet ID '" + id.value + "' does not exist"};
  return {"InvalidSpotFleetRequestId.NotFound",
          "The spot fleet request ID '" + id.value + "' does not exist"};
}

ApiError not_found(const LaunchTemplateId& id) {
  return {"InvalidLaunchTemplateId.NotFound",
          "The specified launch template, with template ID " + id.value + ", does not exist."};
}

}  // namespace sim::cloud
