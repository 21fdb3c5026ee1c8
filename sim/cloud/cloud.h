// One AWS account in one region, without protocol and without I/O. The fakes translate API requests
// into calls of this class, and scenarios and faults act on it as the world. An action checks its
// arguments, changes state, reports to the observers and schedules what follows. It throws ApiError
// with EC2's code where EC2 would refuse. cloud.cpp passes calls to the parts in parts/.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sim/cloud/config.h"
#include "sim/cloud/error.h"
#include "sim/cloud/host.h"
#include "sim/cloud/observer.h"
#include "sim/cloud/resources.h"
#include "sim/kernel/random.h"
#include "sim/kernel/simulation.h"
#include "sim/market/market.h"
#include "sim/vpc/network.h"

namespace sim::cloud {

class Cloud {
 public:
  Cloud(Simulation&, const Streams&, market::Market&, Host&, Config);
  ~Cloud();
  Cloud(const Cloud&) = delete;
  Cloud& operator=(const Cloud&) = delete;

  // Adds an observer, which is called after those added before. It must outlive this object.
  void observe(Observer&);

  // ---- resources by ID, including those that EC2 no longer shows
  const std::map<InstanceId, Instance>& instances() const;
  const std::map<VolumeId, Volume>& volumes() const;
  const std::map<SnapshotId, Snapshot>& snapshots() const;
  const std::map<SpotRequestId, SpotRequest>& spot_requests() const;
  const std::map<FleetId, Fleet>& fleets() const;
  // Without deleted ones.
  const std::map<LaunchTemplateId, LaunchTemplate>& launch_templates() const;
  // The images that the account made. Like launch templates, they always show the present.
  const std::map<ImageId, OwnImage>& images() const;
  // Indexes in order of ID: the volumes with an attachment to an instance in any state, and the
  // resources with a tag, deleted ones included.
  const std::set<VolumeId>& attached_to(const InstanceId&) const;
  const std::set<std::string>& tagged(const std::string& key, const std::string& value) const;
  const Config& config() const;
  market::Market& market();
  Simulation& simulation();
  const Ledger& ledger() const;
  // The bill if the books were closed now: all charges so far, and the cost of existing resources.
  Usd cost_so_far() const;
  // The highest price per hour that a spot instance with this specification may reach.
  Usd max_price(const LaunchSpec&) const;
  // The number of further spot instances for which the pool has capacity now.
  int free_spot_capacity(const Pool&) const;
  // The present price per hour of a spot instance with this specification. Empty if its pool has no
  // price.
  std::optional<Usd> spot_price(const LaunchSpec&) const;
  // The number of spot instances with this specification that could be launched now: its pool's
  // free slots, if its price and its snapshots permit a launch. The specification must name a zone.
  int usable_spot_slots(const LaunchSpec&) const;
  // The account's VPCs and their content. Like launch templates, they always show the present.
  vpc::Network& network();

  // A resource that exists or existed. Throws Invalid*.NotFound for other IDs.
  const Instance& instance(const InstanceId&) const;
  const Volume& volume(const VolumeId&) const;
  const Snapshot& snapshot(const SnapshotId&) const;
  const Fleet& fleet(const FleetId&) const;

  // ---- what EC2 shows. It shows existing resources, and instances until an hour after their end.
  // It does not show deleted volumes and snapshots. Changes are visible at once, without eventual
  // consistency.
  bool shows(const Instance&) const;
  static bool shows(const SpotRequest& request) { return request.spec.managed_by.empty(); }
  static bool shows(const Volume& volume) { return is_shown(volume); }
  static bool shows(const Snapshot& snapshot) { return is_shown(snapshot); }
  static bool shows(const OwnImage& image) { return is_shown(image); }
  // A resource that EC2 shows. Throws Invalid*.NotFound for others, like all actions on a named
  // resource.
  const Instance& shown(const InstanceId&) const;
  const Volume& shown(const VolumeId&) const;
  const Snapshot& shown(const SnapshotId&) const;
  const SpotRequest& shown(const SpotRequestId&) const;
  const Fleet& shown(const FleetId&) const;
  const LaunchTemplate& shown(const LaunchTemplateId&) const;
  const OwnImage& shown(const ImageId&) const;

  // ---- instances that a service manages (LaunchSpec::managed_by). The service ends them, and runs
  // containers on them after they have booted.
  void release_managed(const std::vector<InstanceId>&);
  // Host::container_folder.
  ContainerFolder container_folder(const InstanceId&);
  // The container functions of Host. They do nothing if the instance has ended.
  bool run_container(const InstanceId&, const Container&, ContainerHooks);
  void stop_container(const InstanceId&, Duration grace);

  // The last bytes that the instance's console has shown, at most this many.
  std::string console(const InstanceId&, std::size_t most) const;

  // ---- instances. On-demand capacity is unlimited unless Market::set_on_demand_capacity limits
  // it. Launches as many as there is capacity and quota for, from `least` to `most`. Throws
  // VcpuLimitExceeded or InsufficientInstanceCapacity if these are fewer than `least`.
  std::vector<InstanceId> run_instances(const LaunchSpec&, int least, int most);
  std::vector<InstanceId> run_instances(const LaunchSpec& spec, int count) {
    return run_instances(spec, count, count);
  }
  // Ends all of them. If one is unknown or protected, it ends none.
  void terminate_instances(const std::vector<InstanceId>&);
  // Reboots instances for any caller, including the instance itself. Instances that are not running
  // are ignored (EC2 API reference, RebootInstances).
  void reboot_instances(const std::vector<InstanceId>&);
  // Stops instances, which keep their volumes and can start again. Stopped instances are ignored. A
  // spot instance stops only if its request is persistent. Throws IncorrectInstanceState,
  // UnsupportedOperation.
  void stop_instances(const std::vector<InstanceId>&);
  // The same for instances that are to keep their memory. Throws also
  // UnsupportedHibernationConfiguration. An instance that has not booted yet stops as above.
  void hibernate_instances(const std::vector<InstanceId>&);
  // Starts stopped instances; running ones are ignored. Throws IncorrectInstanceState, and for a
  // spot instance InsufficientInstanceCapacity without capacity, and IncorrectSpotRequestState if
  // an interruption has stopped it.
  void start_instances(const std::vector<InstanceId>&);
  // Turns detailed monitoring on or off.
  void set_monitoring(const std::vector<InstanceId>&, bool detailed);
  // InstanceInitiatedShutdownBehavior: whether an instance that powers off stops or terminates.
  // Throws UnsupportedOperation for a spot instance that may not stop.
  void set_shutdown_behavior(const InstanceId&, bool stops_itself);
  // These throw IncorrectInstanceState unless the instance is stopped. The next start uses the new
  // value. The type of a spot instance, or of an instance with hibernation, cannot change.
  void set_instance_type(const InstanceId&, const std::string& type);
  void set_user_data(const InstanceId&, const std::string& user_data);
  void set_ebs_optimized(const InstanceId&, bool optimized);
  // Sets termination protection, which spot instances cannot have.
  void set_disable_api_termination(const InstanceId&, bool disabled);
  // Replaces the instance's groups. Existing connections stay (EC2 User Guide, "Security group
  // connection tracking").
  void set_security_groups(const InstanceId&, const std::vector<std::string>& ids);
  // ModifyInstanceMetadataOptions: copies the members `imds_…`.
  void set_metadata_options(const InstanceId&, const LaunchSpec&);
  // Sets the instance profile; empty removes it.
  void set_instance_profile(const InstanceId&, const std::string& name_or_arn);
  // Sets the flag for the volume at this device.
  void set_delete_on_termination(const InstanceId&, const std::string& device, bool removed);
  // The instance's operating system has powered off: the instance stops or terminates, as
  // InstanceInitiatedShutdownBehavior says. An instance whose machine is gone with its root disk
  // terminates.
  void guest_powered_off(const InstanceId&, bool machine_gone = false);
  // Counts bytes that an instance sent to an instance in another zone.
  void transferred(const InstanceId& from, const InstanceId& to, std::int64_t bytes);

  // ---- volumes and snapshots
  VolumeId create_volume(const VolumeSpec&);
  void delete_volume(const VolumeId&);
  // Throws VolumeModificationRateExceeded, IncorrectModificationState, and the errors of
  // create_volume.
  const VolumeModification& modify_volume(const VolumeId&, const VolumeChange&);
  void set_auto_enable_io(const VolumeId&, bool enabled);
  Attachment attach_volume(const VolumeId&, const InstanceId&, const std::string& device);
  Attachment detach_volume(const VolumeId&, const InstanceId& or_empty, bool force);
  SnapshotId create_snapshot(const VolumeId&, const std::string& description, const Tags&);
  // Notes that one CreateSnapshots call has made these pending snapshots.
  void join_snapshots(const std::vector<SnapshotId>&);
  // Copies a completed snapshot of `source`, which is this cloud or another region's with the same
  // host. Another region charges for the transfer. Throws InvalidSnapshot.NotFound, IncorrectState.
  SnapshotId copy_snapshot(Cloud& source, const SnapshotId&, const SnapshotCopy&);
  // Throws InvalidSnapshot.InUse for a snapshot of an image that is registered.
  void delete_snapshot(const SnapshotId&);
  void permit_volumes(const SnapshotId&, Permissions);

  // ---- images. Functions that make an image throw InvalidAMIName.*. An image becomes available
  // when its snapshots are completed. create_image copies the root and the attached volumes of a
  // running or stopped instance.
  ImageId create_image(const InstanceId&, const ImageRequest&);
  // Registers an image of completed snapshots. The first one is an instance's root.
  ImageId register_image(OwnImage);
  // Copies an image of `source` (as for copy_snapshot) with its snapshots: an image that the
  // account made, or any other one.
  ImageId copy_image(Cloud& source, const std::string& image_id, const ImageRequest&);
  ImageId copy_image(const std::string& image_id, const ImageRequest& request) {
    return copy_image(*this, image_id, request);
  }
  // Deregisters an image. Its snapshots remain.
  void deregister_image(const ImageId&);
  // ModifyImageAttribute, for an image that the account has made.
  void describe_image(const ImageId&, const std::string& description);
  void permit_launches(const ImageId&, Permissions);

  // ---- spot requests and fleets of both kinds (Fleet::kind)
  //
  // An instant fleet has launched all it can when this function returns. A launch specification may
  // list zones ("us-west-2a, us-west-2b", or none for all). The fleet then has one specification
  // per zone.
  FleetId request_spot_fleet(const SpotFleetRequest&);
  // Throws fleetRequestNotInCancellableState for a cancelled fleet.
  FleetCancellation cancel_spot_fleet(const FleetId&, bool terminate_instances);
  // Ends a fleet whose ValidUntil is reached.
  void expire_spot_fleet(const FleetId&);
  // modify_fleet() throws FleetNotInModifiableState if the fleet is not active.
  void modify_fleet(const FleetId&, const FleetChange&);
  // Asks this before each launch of a spot fleet. False: the fleet's role lacks a permission, so
  // the fleet waits (EC2 API reference, EventInformation: iamFleetRoleInvalid).
  void set_fleet_permission(FleetPermission may_launch);
  // Throws InvalidParameterValue for a validity that has ended or ends before it begins.
  std::vector<SpotRequestId> request_spot_instances(const LaunchSpec&, int count,
                                                    const std::string& type, const Validity& = {});
  // Launches spot instances for RunInstances: as many as capacity permits, up to `most`. Their
  // requests are of this type ("one-time", "persistent").
  // If that is fewer than `least`, it throws InsufficientInstanceCapacity, or SpotMaxPriceTooLow if
  // only the price prevents more. No request waits. A persistent request ends at `valid_until`.
  std::vector<InstanceId> run_spot_instances(const LaunchSpec&, int least, int most,
                                             const std::string& type = "one-time",
                                             std::optional<Time> valid_until = {});
  void cancel_spot_request(const SpotRequestId&);

  // ---- launch templates
  //
  // Throws InvalidLaunchTemplateName.* for an invalid or used name. `given` is stored as it is.
  LaunchTemplateId create_launch_template(const std::string& name, const LaunchSpec& data,
                                          const Tags&, const std::string& given = "",
                                          const std::string& description = "");
  // Returns the new version's number.
  int create_launch_template_version(const LaunchTemplateId&, const LaunchSpec& data,
                                     const std::string& given, const std::string& description);
  // `version` is "3", "$Latest" or "$Default". Throws InvalidLaunchTemplateId.VersionNotFound.
  const LaunchTemplateVersion& launch_template_version(const LaunchTemplateId&,
                                                       const std::string& version) const;
  void set_default_version(const LaunchTemplateId&, const std::string& version);
  // Throws OperationNotPermitted for the default version.
  void delete_launch_template_version(const LaunchTemplateId&, const std::string& version);
  // Fleets that use the template continue.
  void delete_launch_template(const LaunchTemplateId&);

  // ---- tags, on any taggable resource by its ID
  void create_tags(const std::vector<std::string>& resource_ids, const Tags&);
  void delete_tags(const std::vector<std::string>& resource_ids,
                   const std::vector<std::string>& keys);
  // Tags that another AWS service puts on a resource: "aws:…" keys, which clients cannot change.
  void add_service_tags(const std::string& resource_id, const Tags&);
  void remove_service_tag(const std::string& resource_id, const std::string& key);

  // ---- actions of the world, which are no API
  //
  // EC2 interrupts a spot instance. With a notice, instance-action and the status code
  // instance-terminated-<reason> appear now, and shutting-down follows after the notice. Without a
  // notice the power goes off at once (Shutdown::kHard). `reason` is "no-capacity" or "by-price".
  using Notice = cloud::Notice;
  void interrupt(const InstanceId&, Notice, const std::string& reason);
  // The same with a notice of this length.
  void interrupt_after(const InstanceId&, Duration notice, const std::string& reason);
  // The machine under an instance of any lifecycle fails. The instance is terminated without a
  // warning and loses data that is not on its volumes.
  void fail_host(const InstanceId&);
  // Interrupts all running spot instances of a pool, in launch order; returns them.
  std::vector<InstanceId> reclaim(const Pool&, Notice, const std::string& reason);
  void recommend_rebalance(const InstanceId&);
  // Schedules an event for an instance: `code`, `description` and both times are used. At
  // `not_before` a reboot restarts the instance, and a retirement stops it, or terminates a spot
  // one. Maintenance is only shown, until `not_after`. Nothing happens to an instance that is
  // ending.
  void schedule_maintenance(const InstanceId&, MaintenanceEvent);
  // Sets the pool's price from now on (Market::set_price). Running instances with a lower maximum
  // price get their notice.
  void set_price(const Pool&, Usd);
  // Multiplies the pool's price for a time (Market::raise_price), with the same effect.
  void raise_price(const Pool&, double factor, Time until);
  // The hardware of an instance's volumes fails. Each volume is in state error when it is detached.
  void lose_volumes(const InstanceId&);
  // The hardware of a volume fails. The volume is in state error at once, or when it is detached.
  void fail_volume(const VolumeId&);
  // A pending snapshot fails. A completed one remains as it is.
  void fail_snapshot(const SnapshotId&);
  // A fleet launches one instance beyond its target, if capacity permits.
  void launch_one_more(const FleetId&);
  // From now on the instance's metadata service requires tokens (HttpTokens = required).
  void require_imds_v2(const InstanceId&);
  // The same for every instance launched from now on, like a default of the account or of an image
  // (ImdsSupport = v2.0).
  void require_imds_v2_of_launches();
  // A copy of what EC2 describes now. Faults show it later to simulate eventual consistency (EC2
  // API reference, "Eventual consistency").
  struct Records;
  std::shared_ptr<const Records> copy_records() const;
  // Makes the readers above show this copy instead of the present, until the next call; null
  // restores the present. Launch templates always show the present. Functions that change something
  // always change the present.
  void show(const Records* or_present);
  // Replaces the durations of transitions. With an empty function, drawn durations apply.
  using Pace = cloud::Pace;
  void set_pace(Pace pace);

  // Adds a line to the bill for a service that has no resources here.
  void charge(LineItem item);
  // Registers such a service's charges up to now. They count as open items until the books are
  // closed.
  void also_bill(std::function<std::vector<LineItem>()> charges);

  // True while an instance is neither terminated nor stopped, or a spot request or a fleet may
  // launch one, or start one that EC2 has stopped.
  bool anything_running() const;
  // Ends billing now: charges for all resources that still exist.
  void close_books();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace sim::cloud
