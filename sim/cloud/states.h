// The states of resources and the allowed transitions, as tables. The documentation prints these
// tables, and tests compare every run's log with them.
#pragma once

#include <span>
#include <string_view>

namespace sim::cloud {

// EC2 API reference: InstanceState, Volume, VolumeAttachment, Snapshot, SpotInstanceRequest,
// SpotFleetRequestConfig, Image.
enum class InstanceState { kPending, kRunning, kStopping, kStopped, kShuttingDown, kTerminated };
enum class VolumeState { kCreating, kAvailable, kInUse, kDeleting, kDeleted, kError };
enum class AttachmentState { kAttaching, kAttached, kDetaching, kDetached, kBusy };
// EC2 API reference, VolumeModification.
enum class ModificationState { kModifying, kOptimizing, kCompleted };
enum class SnapshotState { kPending, kCompleted, kError };
enum class ImageState { kPending, kAvailable, kFailed };
enum class SpotRequestState { kOpen, kActive, kClosed, kCancelled, kFailed, kDisabled };
// EC2 API reference: InstanceStatusEvent.code, without instance-stop, which has the effect of
// instance-retirement.
enum class MaintenanceCode {
  kInstanceReboot,
  kSystemReboot,
  kSystemMaintenance,
  kInstanceRetirement
};
// EC2 user guide, "View scheduled events": the state in instance metadata.
enum class MaintenanceState { kActive, kCompleted, kCanceled };
enum class FleetState {
  kSubmitted,
  kActive,
  kModifying,
  kCancelledRunning,
  kCancelledTerminating,
  kCancelled,
  kFailed
};

// AWS's spelling: "shutting-down", "in-use", "cancelled_terminating".
std::string_view name(InstanceState s);
std::string_view name(VolumeState s);
std::string_view name(AttachmentState s);
std::string_view name(ModificationState s);
std::string_view name(SnapshotState s);
std::string_view name(ImageState s);
std::string_view name(SpotRequestState s);
std::string_view name(FleetState s);
std::string_view name(MaintenanceCode c);
std::string_view name(MaintenanceState s);
// The numeric code in DescribeInstances: 0, 16, 64, 80, 32, 48.
int code(InstanceState s);

// An allowed transition of one kind of resource. `from` is empty for creation. Names are as above.
struct Transition {
  // "instance", "volume", "attachment", "snapshot", "image", "spot-request", "fleet"
  std::string_view resource;
  std::string_view from, to;
};
std::span<const Transition> transitions();
bool allowed(std::string_view resource, std::string_view from, std::string_view to);

}  // namespace sim::cloud
