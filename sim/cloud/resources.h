// The resources of EC2 and EBS as plain data. The parts of the cloud own the records and change
// them; states.h has the allowed transitions.
#pragma once

#include <any>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "sim/cloud/ids.h"
#include "sim/cloud/states.h"
#include "sim/kernel/time.h"
#include "sim/market/pool.h"
#include "sim/market/usd.h"

namespace sim::cloud {

using market::Pool;
using market::Usd;
using Tags = std::map<std::string, std::string>;

enum class Lifecycle { kOnDemand, kSpot };

// The properties of a new volume: CreateVolume, and EbsBlockDevice in a launch.
struct VolumeSpec {
  std::string availability_zone = "";
  int size_gib = 0;  // 0: its snapshot's
  std::string type = "gp2";
  SnapshotId from = {};
  Tags tags = {};
  bool encrypted = false;
  std::string kms_key_id = "";  // empty: the account's own key for EBS
  int iops = 0;                 // 0: the type's default
  int throughput = 0;           // MiB/s; 0: the type's default
  bool root = false;            // an instance's root; only a root is made from a root's snapshot
};

// A volume that is launched with an instance: its root, or an additional one.
struct BlockDevice {
  std::string device;
  VolumeSpec volume;
  bool delete_on_termination = true;  // EC2 API reference, TerminateInstances
};

// The properties of a new instance: the relevant part of LaunchSpecification and RunInstances.
struct LaunchSpec {
  std::string image_id;
  std::string base_image = {};  // OwnImage::base if the image is the account's own
  std::string instance_type;
  std::string availability_zone;  // empty: any
  std::string subnet_id;          // empty: the zone's default subnet
  std::string private_ip;         // empty: any address of the subnet
  std::optional<bool> public_ip;  // AssociatePublicIpAddress; empty: the subnet's default
  std::vector<std::string> secondary_ips = {};  // further private addresses
  int more_addresses = 0;                       // any further private addresses
  std::string network_interface = {};           // an existing one; empty: makes a new one
  std::string placement_group = {};             // its name; empty: none
  int partition = 0;                            // of the placement group; 0: any or none
  std::string key_name;
  std::string user_data;             // decoded, at most 16 KiB
  std::string iam_instance_profile;  // name or ARN; empty: none
  std::vector<std::string> security_group_ids;
  std::vector<BlockDevice> block_devices;
  Tags tags;                      // for the instance
  Tags service_tags = {};         // for the instance, from another service: "aws:…" keys
  Tags volume_tags;               // for the volumes launched with it
  Tags request_tags;              // for the spot request that launches it
  bool imds_v2_required = false;  // MetadataOptions.HttpTokens = required
  bool imds_tags = false;         // InstanceMetadataTags = enabled
  bool imds_disabled = false;     // HttpEndpoint = disabled
  int imds_hop_limit = 1;         // only returned; guests reach the metadata service without a hop
  bool ebs_optimized = false;     // only returned by Describe calls
  bool detailed_monitoring = false;      // metrics have a value every minute, not every five
  std::string cpu_credits = {};          // only returned; empty: the default of the type
  bool disable_api_termination = false;  // TerminateInstances is refused
  // InstanceInitiatedShutdownBehavior = stop: an operating system that powers off stops the
  // instance. Else it terminates the instance.
  bool stops_itself = false;
  // The service that runs the instance for the account ("sagemaker"). EC2 does not show such an
  // instance. It runs that service's containers instead of user data, and its price is a multiple
  // of EC2's.
  std::string managed_by = {};
  double price_factor = 1;
  // Spot instances of persistent requests, and of fleets that maintain their capacity: EC2 stops an
  // interrupted instance, and starts it again when there is capacity (InstanceInterruptionBehavior
  // = stop or hibernate). The fleet counts it while it is stopped.
  bool stops_when_interrupted = false;
  // HibernationOptions.Configured = true. A spot instance with it hibernates when it is
  // interrupted.
  bool hibernation = false;
  // Spot instances only: the maximum price of a unit of capacity per hour. Empty: the instance
  // type's on-demand price.
  std::optional<Usd> max_price;
  // ---- fleets only
  double weighted_capacity = 1;
  std::optional<double> priority;       // lower numbers first, no number last
  LaunchTemplateId launch_template;     // template of the specification; empty: none
  std::string launch_template_version;  // as the request names it: "$Latest"
};

// EC2's name of what an interruption does to a spot instance: InstanceInterruptionBehavior, and
// `action` of instance metadata.
inline const char* interruption_behavior(const LaunchSpec& spec) {
  if (!spec.stops_when_interrupted) return "terminate";
  return spec.hibernation ? "hibernate" : "stop";
}

// A version of a launch template. Fields that the template does not state are empty in `data`.
struct LaunchTemplateVersion {
  int number = 1;
  LaunchSpec data;
  std::string given;  // the request's data in the API's format, for DescribeLaunchTemplateVersions
  std::string description;
  Time created_at{};
};

struct LaunchTemplate {
  LaunchTemplateId id;
  std::string name;
  std::map<int, LaunchTemplateVersion> versions;  // without deleted ones
  int default_version = 1, latest_version = 1;
  Tags tags;
  Time created_at{};
};

// An event that EC2 has scheduled for an instance (EC2 user guide, "Scheduled events for Amazon EC2
// instances").
struct MaintenanceEvent {
  std::string id;  // "instance-event-0d59937288b749b32"
  MaintenanceCode code = MaintenanceCode::kInstanceReboot;
  std::string description;  // without "[Completed]" or "[Canceled]", which the state gives
  MaintenanceState state = MaintenanceState::kActive;
  Time not_before{};  // it takes effect then
  std::optional<Time> not_after;
  Time changed_at{};  // since when it is in its state
};

struct Instance {
  InstanceId id;
  // Shared by the instances of one RunInstances call; a spot instance has its own.
  ReservationId reservation;
  int launch_index = 0;  // index within its reservation
  LaunchSpec spec;       // with type, zone and subnet
  Lifecycle lifecycle = Lifecycle::kOnDemand;
  InstanceState state = InstanceState::kPending;
  std::string private_ip;
  Tags tags;
  bool disable_api_termination = false;
  SpotRequestId spot_request;            // empty for on-demand
  FleetId fleet;                         // empty if no fleet launched it
  Time launched_at{};                    // the call that launched it or last started it
  std::optional<Time> running_at;        // billing starts; empty while the instance is stopped
  std::optional<Time> shutting_down_at;  // billing ends
  std::optional<Time> terminated_at;
  std::optional<Time> instance_profile_set_at;  // set after the launch
  std::int64_t regional_bytes = 0;              // to and from instances in other zones
  // "Server.SpotInstanceTermination", "Client.UserInitiatedShutdown",
  // "Client.InstanceInitiatedShutdown"
  std::string state_reason_code;
  std::string state_reason_message;
  // The interruption as instance metadata shows it.
  std::optional<Time> rebalance_recommended_at;
  std::optional<Time> interruption_notice_at;  // from when instance-action is visible
  std::optional<Time> interruption_at;         // the "time" in instance-action
  std::vector<MaintenanceEvent> maintenance;   // in the order in which they were scheduled
  // Its programs stand still, and continue when it has resumed. True from the beginning of its
  // stop until then, also while it is pending and running again.
  bool hibernated = false;
};

// Whether the instance is stopped, or about to be.
inline bool is_stopped(const Instance& instance) {
  return instance.state == InstanceState::kStopping || instance.state == InstanceState::kStopped;
}

struct Attachment {
  VolumeId volume;
  InstanceId instance;
  std::string device;  // "/dev/sdf"; the guest sees /dev/xvdf
  AttachmentState state = AttachmentState::kAttaching;
  Time attached_at{};
  bool delete_on_termination = false;
  bool operator==(const Attachment&) const = default;
};

// The settings of a volume that ModifyVolume changes. 0: the type has no such setting.
struct VolumeSettings {
  int size_gib = 0;
  std::string type = "gp2";
  int iops = 0, throughput = 0;  // throughput in MiB/s
  bool operator==(const VolumeSettings&) const = default;
};

// What a request changes. An empty member keeps the present value, or takes the new type's default.
struct VolumeChange {
  std::optional<int> size_gib = {};
  std::optional<std::string> type = {};
  std::optional<int> iops = {}, throughput = {};
};

// A change of a volume's settings (EC2 API reference, VolumeModification). The volume is billed for
// `target` from `started_at`. It shows `target` when the modification is optimizing, and is as fast
// as `target` when the modification is completed.
struct VolumeModification {
  ModificationState state = ModificationState::kModifying;
  VolumeSettings original, target;
  Time started_at{};
  Duration duration{};  // of optimizing
  std::optional<Time> optimizing_at, completed_at;
  bool operator==(const VolumeModification&) const = default;
};

struct Volume {
  VolumeId id;
  std::string availability_zone;
  int size_gib = 0;
  std::string type = "gp2";
  int iops = 0;         // 0: the type has none
  int throughput = 0;   // MiB/s; 0: the type has none
  SnapshotId snapshot;  // its source; empty: blank
  bool encrypted = false;
  std::string kms_key_id;  // the key's ARN
  // True for an instance's root, which is shown and costs nothing. Its content is the difference
  // from the files of an image.
  bool root = false;
  std::string base_image = {};  // image below a root
  VolumeState state = VolumeState::kCreating;
  Time created_at{};
  std::optional<Time> deleted_at;
  std::optional<Attachment> attachment;
  std::vector<VolumeModification> modifications = {};  // in the order of the calls
  bool auto_enable_io = false;                         // only returned by Describe calls
  Tags tags;
  std::size_t number = 0;      // index among the volumes of this cloud
  std::uint64_t revision = 0;  // changes whenever a field above changes
  bool operator==(const Volume&) const = default;
};

// The other accounts that may launch an image, or create volumes from a snapshot. They have no
// effect, because the simulator has one account.
struct Permissions {
  bool everyone = false;
  std::set<std::string> accounts;
};

struct Snapshot {
  SnapshotId id;
  VolumeId volume;
  int volume_size_gib = 0;
  bool encrypted = false;
  std::string kms_key_id;
  SnapshotState state = SnapshotState::kPending;
  Time started_at{};
  std::optional<Time> completed_at;
  std::optional<Time> deleted_at;
  Duration duration{};            // of pending; progress is linear in it
  std::int64_t stored_bytes = 0;  // of all blocks that hold data
  // The snapshot with which it shares blocks: the volume's last one, else the volume's source.
  SnapshotId previous = {};
  std::int64_t billed_bytes = 0;  // of the blocks that it does not share with `previous`
  Time billed_since{};            // from when these are billed
  bool root = false;              // of an instance's root volume
  std::string base_image = {};    // for a root: the image below it
  InstanceId instance = {};       // for a root: its instance at that time, if any
  SnapshotId copy_of = {};        // perhaps of another region:
  std::string copied_from = {};   // the region of copy_of
  // The first snapshot of its CreateSnapshots call, if a call made several at once.
  SnapshotId made_with = {};
  std::string description;
  Permissions volume_permissions = {};  // createVolumePermission
  Tags tags;
};

// The properties of a copy of a snapshot: CopySnapshot.
struct SnapshotCopy {
  std::string description = {};
  Tags tags = {};
  bool encrypted = false;       // false: as its original
  std::string kms_key_id = {};  // empty: its original's, or the account's own key for EBS
};

// An image that the account has made. config.h has the images of a scenario and public ones.
struct OwnImage {
  ImageId id;
  ImageState state = ImageState::kPending;
  std::string name, description;
  std::string architecture = "x86_64";
  std::string base;                  // the image to whose files the root's snapshot adds
  std::vector<BlockDevice> devices;  // the root first; none before the snapshots begin
  bool imds_v2_required = false;     // ImdsSupport = v2.0
  InstanceId instance;               // source instance; empty: made from snapshots
  std::string state_reason;          // why it failed
  Permissions launches;
  Time created_at{};
  std::optional<Time> deregistered_at;
  Tags tags;
};

// The properties of a new image: CreateImage and CopyImage.
struct ImageRequest {
  std::string name, description = {};
  Tags tags = {}, snapshot_tags = {};
  // ---- of CreateImage
  bool reboot = true;  // the instance is shut down before its volumes are copied
  // The block device mappings of the request: they change a flag of an instance's volume, or add a
  // device.
  std::vector<BlockDevice> devices = {};
  std::vector<std::string> left_out = {};  // devices to omit
};

// When a spot request may be fulfilled (EC2 API reference, RequestSpotInstances). Empty: at once,
// and for ever.
struct Validity {
  std::optional<Time> from = {}, until = {};
};

// Spot instance request. Status codes: EC2 user guide, "Spot request status".
struct SpotRequest {
  SpotRequestId id;
  LaunchSpec spec;
  SpotRequestState state = SpotRequestState::kOpen;
  std::string status_code;  // "pending-evaluation", "fulfilled", "instance-terminated-by-price" …
  std::string status_message;
  Time status_updated_at{};
  Time created_at{};
  std::string type = "one-time";  // or "persistent"
  InstanceId instance;
  FleetId fleet;
  Tags tags;
  Validity validity = {};
};

enum class AllocationStrategy {
  kLowestPrice,
  kDiversified,
  kCapacityOptimized,
  kCapacityOptimizedPrioritized,
  kPriceCapacityOptimized
};
std::string_view name(AllocationStrategy strategy);  // "lowestPrice", as EC2 writes it

struct FleetHistoryRecord {
  Time at;
  std::string event_type;      // "fleetRequestChange", "instanceChange", "error", "information"
  std::string event_sub_type;  // EC2 API reference, EventInformation: "launched" …
  std::string description;
  InstanceId instance;
};

// RequestSpotFleet makes spot fleets ("sfr-…"), CreateFleet makes EC2 fleets ("fleet-…").
enum class FleetKind { kSpotFleet, kEc2Fleet };

// A fleet of type maintain launches a replacement for a spot instance with a rebalance
// recommendation (EC2 API reference, SpotCapacityRebalance). It ends the instance after the delay
// (launch-before-terminate); without a delay it never does (launch).
struct CapacityRebalance {
  std::optional<Duration> termination_delay;
};

// A launch specification that an instant fleet could not use, with EC2's code and message.
struct FleetError {
  LaunchSpec spec;
  Lifecycle lifecycle = Lifecycle::kSpot;
  std::string code, message;
};

// Limits of a fleet's spot or on-demand part (EC2 API reference, SpotOptionsRequest and
// OnDemandOptionsRequest). All but the price are for instant fleets.
struct FleetPartLimits {
  // MaxTotalPrice, an hour: the fleet launches nothing with which its instances would cost more at
  // their present prices. It ends nothing when prices rise.
  std::optional<Usd> max_total_price = {};
  bool single_type = false, single_zone = false;
  double least = 0;  // MinTargetCapacity: with less, the fleet launches nothing
};

// A fleet with the request that made it (SpotFleetRequestConfig, CreateFleetRequest).
struct Fleet {
  FleetId id;
  FleetKind kind = FleetKind::kSpotFleet;
  FleetState state = FleetState::kSubmitted;
  AllocationStrategy strategy = AllocationStrategy::kLowestPrice;
  int pools = 1;  // InstancePoolsToUseCount: for lowestPrice, the number of cheapest pools to use
  std::string type = "maintain";  // or "request"; EC2 fleets also "instant"
  double target_capacity = 0;
  double fulfilled_capacity = 0;
  double on_demand_target = 0;     // part of target_capacity; the rest is for spot instances
  double fulfilled_on_demand = 0;  // part of fulfilled_capacity
  std::optional<Usd> max_price;    // SpotPrice of the request
  bool terminate_instances_with_expiration = false;
  bool replace_unhealthy = false;
  std::optional<CapacityRebalance> rebalance = {};
  std::string iam_fleet_role;
  std::string client_token;
  std::vector<LaunchSpec> launch_specs;  // a list of zones in one is already split: one pool each
  std::vector<InstanceId> instances;     // instances that it knows, in launch order
  bool stuck = false;                    // its last try could not launch the missing capacity
  int excess = 0;                        // instances above a lowered target that have not ended
  std::vector<FleetHistoryRecord> history;
  Tags tags;
  Time created_at{};
  // As in the request.
  std::optional<Time> valid_from, valid_until;
  Tags requested_tags;
  FleetPartLimits spot_limits = {};
  // ---- EC2 fleets only
  bool on_demand_by_priority = false;  // false: the cheapest launch specification first
  bool keeps_excess = false;           // true: a lowered target ends no instances
  std::vector<FleetError> errors;      // of an instant fleet
  FleetPartLimits on_demand_limits = {};
  std::any asked;  // the request in the API's format, for DescribeFleets
};

// Whether a fleet may launch an instance of a specification.
using FleetPermission = std::function<bool(const Fleet&, const LaunchSpec&, Lifecycle)>;

struct SpotFleetRequest {
  Fleet config;  // strategy, type, target, specs, tags …; id, state and the live part are ignored
};
struct FleetChange {
  double target_capacity = 0, on_demand_target = 0;
  std::optional<bool> keeps_excess = {};  // empty: unchanged, also for the members below
  std::vector<LaunchSpec> launch_specs = {};
  std::any asked = {};
};
struct FleetCancellation {
  FleetId id;
  FleetState before, after;
};

// EC2 interrupts a spot instance with a notice or at once.
enum class Notice { kGiven, kNone };

// True if EC2 shows a volume, a snapshot or an image, which it does until they are deleted.
inline bool is_shown(const Volume& volume) { return volume.state != VolumeState::kDeleted; }
inline bool is_shown(const Snapshot& snapshot) { return !snapshot.deleted_at; }
inline bool is_shown(const OwnImage& image) { return !image.deregistered_at; }

}  // namespace sim::cloud
