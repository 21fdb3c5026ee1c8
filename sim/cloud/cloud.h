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

#include "sim/cloud/error.h"
#include "sim/cloud/host.h"
#include "sim/cloud/observer.h"
#include "sim/cloud/resources.h"
#include "sim/kernel/random.h"
#include "sim/kernel/simulation.h"
#include "sim/market/market.h"

namespace sim::cloud {

// A duration that is drawn uniformly; low = high is a constant.
struct Range {
  Duration low, high;
};

// How long things take; each may be set in a scenario.
struct Durations {
  Range spot_evaluation{2s, 2s};      // fleet submitted → instances requested
  Range instance_pending{20s, 30s};   // pending → running
  Range boot{30s, 45s};               // running → user data starts
  Range instance_shutdown{30s, 30s};  // shutting-down → terminated, at least
  Duration os_grace = 10s;            // SIGTERM → SIGKILL when the machine is shut down
  Range volume_creating{3s, 8s};      // creating → available
  Range volume_attaching{3s, 6s};
  Range volume_detaching{3s, 6s};
  Range volume_deleting{5s, 60s};
  Range snapshot_base{30s, 60s};  // pending, plus the data's share:
  double snapshot_mib_per_second = 50;
  Range fleet_replenish{5s, 30s};  // loss of an instance → its fleet notices and replaces it
  Duration capacity_retry = 60s;   // a fleet without capacity tries again
  Duration interruption_notice = 120s;
};

// Virtual time that a request to an endpoint takes, request to answer.
struct Latencies {
  Duration imds = std::chrono::milliseconds{1};
  Duration api = std::chrono::milliseconds{150};
  // To the first byte "roughly 100–200 milliseconds", then 85 to 90 MB/s a connection (S3 User
  // Guide, "Performance design patterns for Amazon S3").
  Duration s3 = std::chrono::milliseconds{100};
  std::int64_t s3_bytes_per_second = 90'000'000;
};
inline constexpr Latencies kNoLatencies{{}, {}, {}, std::int64_t{1} << 62};

struct Prices {
  market::Usd volume_gp2_gb_month{100'000'000};  // $0.10, us-west-2
  market::Usd volume_gp3_gb_month{80'000'000};
  market::Usd volume_gp3_iops_month{5'000'000};             // above 3,000
  market::Usd volume_gp3_mib_per_second_month{40'000'000};  // above 125
  market::Usd volume_io1_gb_month{125'000'000};
  market::Usd volume_io1_iops_month{65'000'000};
  market::Usd volume_io2_gb_month{125'000'000};
  market::Usd volume_io2_iops_month{65'000'000};
  market::Usd volume_st1_gb_month{45'000'000};
  market::Usd volume_sc1_gb_month{15'000'000};
  market::Usd volume_standard_gb_month{50'000'000};
  market::Usd snapshot_gb_month{50'000'000};
  // S3 Standard (S3 pricing, us-west-2): what is stored, and a thousand requests that write or list
  // (PUT, COPY, POST, LIST), or that read.
  market::Usd object_gb_month{23'000'000};
  market::Usd object_writes_1000{5'000'000};
  market::Usd object_reads_1000{400'000};
  // CloudWatch pricing, "Logs" (Standard): a GB (2^30 bytes) that comes, and one that is kept.
  market::Usd log_ingested_gb{500'000'000};
  market::Usd log_gb_month{30'000'000};
  // Between Availability Zones, a GB (2^30 bytes), for who sends and for who receives (EC2
  // on-demand pricing, "Data Transfer within the same AWS Region"); within a zone it is free.
  market::Usd transfer_between_zones_gb{10'000'000};
};

// An AMI as DescribeImages shows it.
struct Image {
  std::string name;
  std::string description;
  std::string owner;  // an account's ID, or an alias: "amazon", "aws-marketplace"; empty: ours
  std::string architecture = "x86_64";
  Time created{};
};

struct Config {
  std::string account_id = "123456789012";
  std::string region = "us-west-2";
  std::vector<std::string> availability_zones;  // full names, ordered
  std::map<std::string, Image> images;          // by ImageId
  bool any_image = true;                        // also those that are not among them are there
  Durations durations;
  Prices prices;
};

struct SpotFleetRequest {
  Fleet config;  // strategy, type, target, specs, tags …; id, state and the live part are ignored
};
struct FleetCancellation {
  FleetId id;
  FleetState before, after;
};

class Cloud {
 public:
  Cloud(Simulation&, const Streams&, market::Market&, Host&, Config);
  ~Cloud();
  Cloud(const Cloud&) = delete;
  Cloud& operator=(const Cloud&) = delete;

  // Tells of all that happens from here on, after those that are told already. It must outlive what
  // happens.
  void observe(Observer&);

  // ---- what is there, by ID; also those that EC2 shows no more
  const std::map<InstanceId, Instance>& instances() const;
  const std::map<VolumeId, Volume>& volumes() const;
  const std::map<SnapshotId, Snapshot>& snapshots() const;
  const std::map<SpotRequestId, SpotRequest>& spot_requests() const;
  const std::map<FleetId, Fleet>& fleets() const;
  const std::map<LaunchTemplateId, LaunchTemplate>& launch_templates() const;  // not deleted ones
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
  // The ID of a zone's default subnet; the zone must be one of the configured ones.
  std::string default_subnet(const std::string& availability_zone) const;

  // What there is or was. Throw Invalid*.NotFound.
  const Instance& instance(const InstanceId&) const;
  const Volume& volume(const VolumeId&) const;
  const Snapshot& snapshot(const SnapshotId&) const;
  const Fleet& fleet(const FleetId&) const;

  // ---- what EC2 shows: all there is, and instances until an hour after their end; no deleted
  // volumes and snapshots. A change is seen at once: there is no eventual consistency.
  bool shows(const Instance&) const;
  static bool shows(const SpotRequest& request) { return request.spec.managed_by.empty(); }
  static bool shows(const Volume& volume) { return volume.state != VolumeState::kDeleted; }
  static bool shows(const Snapshot& snapshot) { return !snapshot.deleted_at; }
  // Throw Invalid*.NotFound for what is not there or not shown, as all actions do that name one.
  const Instance& shown(const InstanceId&) const;
  const Volume& shown(const VolumeId&) const;
  const Snapshot& shown(const SnapshotId&) const;
  const SpotRequest& shown(const SpotRequestId&) const;
  const Fleet& shown(const FleetId&) const;
  const LaunchTemplate& shown(const LaunchTemplateId&) const;

  // ---- instances that a service manages (LaunchSpec::managed_by). It ends them without the
  // account; once they have booted they run containers.
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
  // Instead of those that it had; connections that there are stay (EC2 User Guide, "Security group
  // connection tracking").
  void set_security_groups(const InstanceId&, const std::vector<std::string>& ids);
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
  void delete_snapshot(const SnapshotId&);

  // ---- spot
  // A launch spec may list zones ("us-west-2a, us-west-2b", or none for all): one spec for each in
  // the fleet.
  FleetId request_spot_fleet(const SpotFleetRequest&);
  // Throws fleetRequestNotInCancellableState for a fleet that is cancelled already.
  FleetCancellation cancel_spot_fleet(const FleetId&, bool terminate_instances);
  // ValidUntil of a fleet has come.
  void expire_spot_fleet(const FleetId&);
  // Throws FleetNotInModifiableState for a fleet that is not active.
  void modify_spot_fleet(const FleetId&, double target_capacity);
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

  // ---- what the world does (not an API)
  // EC2 takes a spot instance back. With notice: the metadata service shows instance-action now,
  // the status code becomes instance-terminated-<reason> now, shutting-down follows after the
  // notice. Without: power off at once (Shutdown::kHard). reason: "no-capacity" or "by-price".
  enum class Notice { kGiven, kNone };
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
  // What EC2 describes, as it is now, to be shown later (EC2 API reference, "Eventual
  // consistency").
  struct Records;
  std::shared_ptr<Records> copy_records() const;
  // For the length of a call that only reads: those in the place of its own, which are in `records`
  // meanwhile. Whoever calls it calls it again to have them back.
  void swap_records(Records& records);
  // Asked for each transition that takes time, by the name of its random stream, such as
  // "volume-attaching": what it takes instead of what was drawn. `pace` is empty: as drawn. Also
  // asked for "tags-visible", of tags that were made, which takes nothing.
  using Pace = std::function<Duration(std::string_view transition, Duration drawn)>;
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
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace sim::cloud
