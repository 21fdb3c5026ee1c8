// The interface through which the cloud reports each change. Every observer is called once the
// records show the change, in the order in which observers were added. The event log is the first
// (log_writer.h); waiting fiber guests and the engine of faults follow.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/cloud/billing.h"
#include "sim/cloud/resources.h"

namespace sim::cloud {

class Observer {
 public:
  virtual ~Observer() = default;

  // EC2's description of a resource has changed: the resource is new, in another state or has other
  // tags. Called before the function below that reports the details.
  virtual void changed() {}

  // ---- a resource took a step on its graph (states.h); `from` is empty for a new resource
  virtual void instance_state(const Instance&, std::optional<InstanceState> /*from*/) {}
  virtual void volume_state(const Volume&, std::optional<VolumeState> /*from*/) {}
  // A modification of the volume, its last one, has begun or has another state.
  virtual void volume_modification(const Volume&) {}
  virtual void attachment_state(const Attachment&, std::optional<AttachmentState> /*from*/) {}
  virtual void snapshot_state(const Snapshot&, std::optional<SnapshotState> /*from*/) {}
  virtual void snapshot_deleted(const Snapshot&) {}  // "deleted" is no SnapshotState
  virtual void image_state(const OwnImage&, std::optional<ImageState> /*from*/) {}
  virtual void image_deregistered(const OwnImage&) {}  // "deregistered" is no ImageState
  // A root volume, which has no volume_state(): "restored" from an image's snapshot, "kept" when
  // its instance's machine has ended, "deleted" after that.
  virtual void root_volume(const Volume&, const InstanceId& /*or_empty*/,
                           const std::string& /*what*/) {}
  virtual void spot_request_state(const SpotRequest&, std::optional<SpotRequestState> /*from*/) {}
  virtual void fleet_state(const Fleet&, std::optional<FleetState> /*from*/) {}

  // ---- an instance
  virtual void monitoring(const Instance&) {}  // its monitoring has become detailed, or basic
  virtual void booted(const Instance&) {}      // its user data starts
  virtual void rebalance_recommended(const Instance&) {}
  // EC2 interrupts the instance for `reason` ("no-capacity", "by-price"), now or after a notice.
  virtual void interrupted(const Instance&, const std::string& /*reason*/, bool /*notice*/) {}
  virtual void noticed(const Instance&, const std::string& /*reason*/) {}
  virtual void maintenance(const Instance&, const MaintenanceEvent&) {}  // it has a new state

  // ---- other resources
  virtual void spot_request_status(const SpotRequest&) {}  // the request has a new status code
  virtual void fleet_history(const Fleet&) {}              // the fleet has a new last record
  virtual void launch_template_created(const LaunchTemplate&) {}
  virtual void launch_template_deleted(const LaunchTemplateId&) {}
  virtual void tags_created(const std::string& /*resource_id*/, const Tags&) {}
  virtual void tags_deleted(const std::string& /*resource_id*/,
                            const std::vector<std::string>& /*keys*/) {}
  virtual void charged(const LineItem&) {}
};

}  // namespace sim::cloud
