// One AWS account in one region, as the services below the APIs see it: no protocol, no I/O. An
// action checks, changes state, tells of it, schedules what follows, and throws ApiError
// with EC2's code when EC2 would refuse.
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

  // Tells of all that happens from here on, after those that are told already. It must outlive what
  // happens.
  void observe(Observer&);

  // ---- resources by ID, also those that EC2 no longer shows
  const std::map<InstanceId, Instance>& instances() const;
  const std::map<VolumeId, Volume>& volumes() const;
  const std::map<SnapshotId, Snapshot>& snapshots() const;
  const std::map<SpotRequestId, SpotRequest>& spot_requests() const;
  const std::map<FleetId, Fleet>& fleets() const;
  const std::map<LaunchTemplateId, LaunchTemplate>& launch_templates() const;  // not deleted ones
  // The images that the account has made. Always the present, like launch templates.
  const std::map<ImageId, OwnImage>& images() const;
  // Indexes of these, in order of ID: the volumes with an attachment to an instance, whatever its
  // state; and the resources with a tag, deleted ones among them.
  const std::set<VolumeId>& attached_to(const InstanceId&) const;
  const std::set<std::string>& tagged(const std::string& key, const std::string& value) const;
  const Config& config() const;
  market::Market& market();
  Simulation& simulation();
  const Ledger& ledger() const;
  // The bill if it were closed now: what the ledger has and what stands open.
  Usd cost_so_far() const;
  // What a spot instance with this specification may cost an hour at most.
  Usd max_price(const LaunchSpec&) const;
  // How many more spot instances the pool has capacity for now.
  int free_spot_capacity(const Pool&) const;
  // What a spot instance with this specification costs an hour now; empty: its pool has no price.
  std::optional<Usd> spot_price(const LaunchSpec&) const;
  // Spot instances with this specification that can be had now: its pool's free slots, where its
  // price and its snapshots allow any. The specification names a zone.
  int usable_spot_slots(const LaunchSpec&) const;
  // The account's VPCs with all that is in them. Always the present, like launch templates.
  vpc::Network& network();

  // What there is or was. Throw Invalid*.NotFound.
  const Instance& instance(const InstanceId&) const;
  const Volume& volume(const VolumeId&) const;
  const Snapshot& snapshot(const SnapshotId&) const;
  const Fleet& fleet(const FleetId&) const;

  // ---- what EC2 shows: all there is, and instances until an hour after their end; no deleted
  // volumes and snapshots. A change is seen at once: there is no eventual consistency.
  bool shows(const Instance&) const;
  static bool shows(const SpotRequest& request) { return request.spec.managed_by.empty(); }
  static bool shows(const Volume& volume) { return is_shown(volume); }
  static bool shows(const Snapshot& snapshot) { return is_shown(snapshot); }
  static bool shows(const OwnImage& image) { return is_shown(image); }
  // Throw Invalid*.NotFound for what is not there or not shown, as all actions do that name one.
  const Instance& shown(const InstanceId&) const;
  const Volume& shown(const VolumeId&) const;
  const Snapshot& shown(const SnapshotId&) const;
  const SpotRequest& shown(const SpotRequestId&) const;
  const Fleet& shown(const FleetId&) const;
  const LaunchTemplate& shown(const LaunchTemplateId&) const;
  const OwnImage& shown(const ImageId&) const;

  // ---- instances that a service manages (LaunchSpec::managed_by). The service ends them, and runs
  // containers on them once they have booted.
  void release_managed(const std::vector<InstanceId>&);
  // Host::container_folder.
  ContainerFolder container_folder(const InstanceId&);
  // Host::run_container and its kin, as far as the instance still runs.
  bool run_container(const InstanceId&, const Container&, ContainerHooks);
  void stop_container(const InstanceId&, Duration grace);

  // The last of what the instance's console has shown, at most so many bytes.
  std::string console(const InstanceId&, std::size_t most) const;

  // ---- instances. On-demand: capacity is never short (spot pools' capacity is for spot instances
  // only).
  std::vector<InstanceId> run_instances(const LaunchSpec&, int count);
  // All known and none protected, or none is touched.
  void terminate_instances(const std::vector<InstanceId>&);
  // By whomever, the instance itself too. Those that are not up stay as they are (EC2 API
  // reference, RebootInstances: requests for terminated ones are ignored).
  void reboot_instances(const std::vector<InstanceId>&);
  // Termination protection, which spot instances cannot have.
  void set_disable_api_termination(const InstanceId&, bool disabled);
  // Replaces the instance's groups. Existing connections stay (EC2 User Guide, "Security group
  // connection tracking").
  void set_security_groups(const InstanceId&, const std::vector<std::string>& ids);
  // Empty: the instance has none from now on.
  void set_instance_profile(const InstanceId&, const std::string& name_or_arn);
  // Of the volume that the instance has at this device.
  void set_delete_on_termination(const InstanceId&, const std::string& device, bool removed);
  // The instance's own operating system powered off (InstanceInitiatedShutdownBehavior =
  // terminate).
  void guest_powered_off(const InstanceId&);
  // An instance sends so many bytes to one in another zone.
  void transferred(const InstanceId& from, const InstanceId& to, std::int64_t bytes);

  // ---- volumes and snapshots
  VolumeId create_volume(const VolumeSpec&);
  void delete_volume(const VolumeId&);
  Attachment attach_volume(const VolumeId&, const InstanceId&, const std::string& device);
  Attachment detach_volume(const VolumeId&, const InstanceId& or_empty, bool force);
  SnapshotId create_snapshot(const VolumeId&, const std::string& description, const Tags&);
  // Throws InvalidSnapshot.InUse for a snapshot of an image that is registered.
  void delete_snapshot(const SnapshotId&);

  // ---- images. All that make one throw InvalidAMIName.*. An image is available once its snapshots
  // are completed.
  // Of a running instance's root and the volumes that are attached to it.
  ImageId create_image(const InstanceId&, const ImageRequest&);
  // Of completed snapshots, of which the first is an instance's root.
  ImageId register_image(OwnImage);
  // With copies of the snapshots. The image is the account's own or any other one.
  ImageId copy_image(const std::string& image_id, const ImageRequest&);
  // Its snapshots stay.
  void deregister_image(const ImageId&);
  // ModifyImageAttribute: of an image that the account has made.
  void describe_image(const ImageId&, const std::string& description);
  void permit_launches(const ImageId&, LaunchPermissions);

  // ---- spot requests and fleets of both kinds (Fleet::kind)
  // An instant fleet has launched what it can when this function returns.
  // A launch spec may list zones ("us-west-2a, us-west-2b", or none for all): one spec for each in
  // the fleet.
  FleetId request_spot_fleet(const SpotFleetRequest&);
  // Throws fleetRequestNotInCancellableState for a fleet that is cancelled already.
  FleetCancellation cancel_spot_fleet(const FleetId&, bool terminate_instances);
  // ValidUntil of a fleet has come.
  void expire_spot_fleet(const FleetId&);
  // Throws FleetNotInModifiableState for a fleet that is not active.
  void modify_spot_fleet(const FleetId&, double target_capacity);
  void modify_fleet(const FleetId&, const FleetChange&);
  std::vector<SpotRequestId> request_spot_instances(const LaunchSpec&, int count,
                                                    const std::string& type);
  // RunInstances for one-time spot instances: as many as there is capacity for, up to `most`; where
  // that is fewer than `least`, throws InsufficientInstanceCapacity, and SpotMaxPriceTooLow where
  // only the price is in the way. Nothing waits.
  std::vector<InstanceId> run_spot_instances(const LaunchSpec&, int least, int most);
  void cancel_spot_request(const SpotRequestId&);

  // ---- launch templates
  // Throws InvalidLaunchTemplateName.* for a name that is none or taken. `given` is kept as it is.
  LaunchTemplateId create_launch_template(const std::string& name, const LaunchSpec& data,
                                          const Tags&, const std::string& given = "",
                                          const std::string& description = "");
  // Its number.
  int create_launch_template_version(const LaunchTemplateId&, const LaunchSpec& data,
                                     const std::string& given, const std::string& description);
  // "3", "$Latest", "$Default". Throws InvalidLaunchTemplateId.VersionNotFound.
  const LaunchTemplateVersion& launch_template_version(const LaunchTemplateId&,
                                                       const std::string& version) const;
  void set_default_version(const LaunchTemplateId&, const std::string& version);
  // Throws OperationNotPermitted for the default version.
  void delete_launch_template_version(const LaunchTemplateId&, const std::string& version);
  // Fleets that were made of it go on.
  void delete_launch_template(const LaunchTemplateId&);

  // ---- tags, on any taggable resource by its ID
  void create_tags(const std::vector<std::string>& resource_ids, const Tags&);
  void delete_tags(const std::vector<std::string>& resource_ids,
                   const std::vector<std::string>& keys);
  // Tags that another AWS service puts on a resource: "aws:…" keys, which clients cannot change.
  void add_service_tags(const std::string& resource_id, const Tags&);
  void remove_service_tag(const std::string& resource_id, const std::string& key);

  // ---- what the world does (not an API)
  // EC2 takes a spot instance back. With notice: the metadata service shows instance-action now,
  // the status code becomes instance-terminated-<reason> now, shutting-down follows after the
  // notice. Without: power off at once (Shutdown::kHard). reason: "no-capacity" or "by-price".
  using Notice = cloud::Notice;
  void interrupt(const InstanceId&, Notice, const std::string& reason);
  // The same with a notice that comes so long before the end.
  void interrupt_after(const InstanceId&, Duration notice, const std::string& reason);
  // The machine under an instance fails, whatever it is rented for: it is terminated without any
  // warning, and what it had not written to its volumes is gone.
  void fail_host(const InstanceId&);
  // Interrupts all running spot instances of a pool, in launch order; returns them.
  std::vector<InstanceId> reclaim(const Pool&, Notice, const std::string& reason);
  void recommend_rebalance(const InstanceId&);
  // The pool costs this from now on (Market::set_price); running instances whose maximum is below
  // it get their notice.
  void set_price(const Pool&, Usd);
  // The same for Market::raise_price.
  void raise_price(const Pool&, double factor, Time until);
  // The hardware of the volumes in an instance fails: they are in state error once they are
  // detached.
  void lose_volumes(const InstanceId&);
  // The volume's hardware fails: it is in state error now, or once it is detached.
  void fail_volume(const VolumeId&);
  // A pending snapshot ends in state error; a completed one stays what it is.
  void fail_snapshot(const SnapshotId&);
  // A fleet launches one more than it was asked for, where it has capacity.
  void launch_one_more(const FleetId&);
  // From now on its metadata service wants tokens (HttpTokens = required).
  void require_imds_v2(const InstanceId&);
  // The same for each instance that is launched from now on, whatever its launch asks for: an
  // account's default, or its image's (ImdsSupport = v2.0).
  void require_imds_v2_of_launches();
  // A copy of what EC2 describes now, to be shown later (EC2 API reference, "Eventual
  // consistency").
  struct Records;
  std::shared_ptr<const Records> copy_records() const;
  // From now on the readers above show this copy instead of the present, until they are told to
  // show the present again (null). Launch templates always show the present. Functions that change
  // something always change the present.
  void show(const Records* or_present);
  // `pace` is asked for each transition that takes time. An empty one stands for what was drawn.
  using Pace = cloud::Pace;
  void set_pace(Pace pace);

  // A line of the bill for a service that has no state here.
  void charge(LineItem item);
  // What such a service charges until now, all in all: part of what is open until the books close.
  void also_bill(std::function<std::vector<LineItem>()> charges);

  // True when an instance is not terminated, or a fleet may still launch one.
  bool anything_running() const;
  // Ends billing at now: charges what is still there (volumes, snapshots, running instances) up to
  // now.
  void close_books();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace sim::cloud
