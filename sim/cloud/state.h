// What Cloud hides: the tables, what is under way for each resource, and the one way to change a
// state. The functions lie in the file of their section.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "sim/cloud/cloud.h"
#include "sim/cloud/id_source.h"
#include "sim/cloud/observer.h"
#include "sim/kernel/check.h"

namespace sim::cloud {

// Throws InvalidParameterValue for tags that instance metadata cannot show, where it is to show
// them.
void check_metadata_tags(const LaunchSpec&, const Tags&);

// Whether a key of KMS, by its ARN, can be used in this region. There is no KMS: an alias and an ID
// that AWS's pattern allows are taken to be there.
bool is_usable_key(const Config&, std::string_view arn);

// What is under way for an instance; its record is what the APIs show.
struct InstanceWork {
  std::optional<EventId> start;         // pending → running, then running → boot
  std::optional<EventId> price_watch;   // the price rises above the maximum
  std::optional<EventId> interruption;  // the notice is over
  std::string interruption_reason;      // set from the notice on
  bool booted = false;
  int reboots = 0;
  bool machine_gone = false;
  bool shutdown_elapsed = false;
};

struct VolumeWork {
  std::uint64_t attachments = 0;  // how many there were: tells a late event of an earlier one
  std::optional<EventId> attaching;
  bool plugged = false;   // the machine has the device
  bool released = false;  // the machine has let go of it
  bool detach_elapsed = false;
  bool lost = false;  // it has failed, which shows when it is detached
};

// A fleet or a spot request that waits for capacity or a lower price: it would try again every
// capacity_retry, of which only the first try that can succeed is an event.
struct Retry {
  bool waiting = false;
  Time failed_at{};
  std::optional<EventId> attempt;
  int draws = 0;           // of random delays, so that each has a stream of its own
  std::size_t number = 0;  // a direct request's place among all of them
};

struct FleetWork {
  Retry retry;
  double launched = 0;  // capacity launched ever: a "request" fleet replaces nothing
  // Instances of each pool that the fleet knows of, by weight. They make up what the pool holds,
  // and a sum over them does not depend on the order in which instances came and went.
  std::map<Pool, std::map<double, int>> held;
  int not_terminated = 0;
  // Instances that ended and that the fleet has not noticed yet, and when it will.
  std::vector<InstanceId> unnoticed;
  std::optional<EventId> notice;
  std::set<InstanceId> excess;  // Fleet::excess
  // Instances that still stand in Fleet::instances and are to be dropped before anybody reads it:
  // one pass for many, where one search for each would be quadratic in a large fleet.
  std::set<InstanceId> lost;
};

// The graph that a resource moves on (states.h), and what observers hear of it.
template <class Resource>
struct Graph {
  std::string_view resource;
  void (Observer::*told)(const Resource&, std::optional<decltype(Resource::state)> from);
};
inline Graph<Instance> graph_of(const Instance&) { return {"instance", &Observer::instance_state}; }
inline Graph<Volume> graph_of(const Volume&) { return {"volume", &Observer::volume_state}; }
inline Graph<Attachment> graph_of(const Attachment&) {
  return {"attachment", &Observer::attachment_state};
}
inline Graph<Snapshot> graph_of(const Snapshot&) { return {"snapshot", &Observer::snapshot_state}; }
inline Graph<SpotRequest> graph_of(const SpotRequest&) {
  return {"spot-request", &Observer::spot_request_state};
}
inline Graph<Fleet> graph_of(const Fleet&) { return {"fleet", &Observer::fleet_state}; }

struct Cloud::State {
  State(Simulation&, const Streams&, market::Market&, Host&, Config);

  Simulation& simulation;
  Streams streams;
  market::Market& market;
  Host& host;
  Config config;
  std::vector<Observer*> observers;
  Ledger ledger;
  IdSource ids;
  bool books_closed = false;
  std::vector<std::function<std::vector<LineItem>()>> other_services;
  Pace pace;
  bool launches_require_imds_v2 = false;

  std::map<InstanceId, Instance> instances;
  std::map<VolumeId, Volume> volumes;
  std::map<SnapshotId, Snapshot> snapshots;
  std::map<SpotRequestId, SpotRequest> spot_requests;
  std::map<FleetId, Fleet> fleets;
  std::map<LaunchTemplateId, LaunchTemplate> launch_templates;

  std::map<InstanceId, std::set<VolumeId>> attached;
  std::map<std::pair<std::string, std::string>, std::set<std::string>> tagged;

  std::map<InstanceId, InstanceWork> instance_work;
  std::map<VolumeId, VolumeWork> volume_work;
  std::map<SnapshotId, EventId> snapshot_completion;  // of pending ones
  std::map<SpotRequestId, Retry> request_work;        // of direct ones
  std::map<FleetId, FleetWork> fleet_work;
  std::vector<InstanceId> launch_order;
  std::size_t direct_requests = 0;                        // made by customers, not by fleets
  std::map<std::size_t, SpotRequestId> waiting_requests;  // direct ones, by Retry::number
  std::map<Pool, int> spot_in_use;                        // pending and running spot instances

  // ---- state.cpp
  Time now() const { return simulation.now(); }
  template <class... Told>
  void tell(void (Observer::*event)(Told...), const std::type_identity_t<Told>&... told) {
    for (Observer* observer : observers) (observer->*event)(told...);
  }
  // A resource whose record changes; what else is there of it follows from that (Volume::revision).
  template <class Resource>
  void touch(const Resource&) {}
  void touch(Volume& volume) { ++volume.revision; }
  void touch(const Attachment& attachment) { touch(volumes.at(attachment.volume)); }
  // Tells of a new resource, and of a resource's step. Both must be on its graph (asserted).
  template <class Resource>
  void tell_new(Resource& resource) {
    touch(resource);
    const Graph graph = graph_of(resource);
    SIM_CHECK(allowed(graph.resource, "", name(resource.state)));
    tell(&Observer::changed);
    tell(graph.told, resource, {});
  }
  template <class Resource>
  void set_state(Resource& resource, decltype(Resource::state) to) {
    touch(resource);
    const Graph graph = graph_of(resource);
    SIM_CHECK(allowed(graph.resource, name(resource.state), name(to)));
    const auto from = std::exchange(resource.state, to);
    tell(&Observer::changed);
    tell(graph.told, resource, from);
  }
  // A draw from the stream of this name and id.
  Duration draw(Range range, std::string_view name, const std::string& id) const;
  void cancel(std::optional<EventId>& event);
  // What there is or was. Throw Invalid*.NotFound.
  Instance& find(const InstanceId&);
  Volume& find(const VolumeId&);
  Snapshot& find(const SnapshotId&);
  SpotRequest& find(const SpotRequestId&);
  Fleet& find(const FleetId&);
  LaunchTemplate& find(const LaunchTemplateId&);
  bool shows(const Instance&) const;
  // What a customer names: throw also for what EC2 shows no more.
  Instance& shown(const InstanceId&);
  Volume& shown(const VolumeId&);
  Snapshot& shown(const SnapshotId&);
  SpotRequest& shown(const SpotRequestId& id);

  // ---- launch.cpp
  // Fills in zone and subnet; throws what RunInstances throws for a bad specification.
  void check_and_complete(LaunchSpec& spec);
  // Likewise of a specification for spot instances.
  void check_and_complete_spot(LaunchSpec& spec);
  // Into the reservation, which has the name of its first instance: "r-" and the same digits.
  struct Reservation {
    ReservationId id;
    int launched = 0;
  };
  InstanceId launch(const LaunchSpec& spec, Lifecycle, const SpotRequestId&, const FleetId&,
                    Reservation&);
  // Has it interrupted when the price will be above its maximum.
  void watch_price(Instance&);
  // All of a pool's, whose price is another than it was to be.
  void watch_prices(const Pool&);

  // ---- instances.cpp
  void become_running(Instance&);
  void boot(Instance&);
  struct Reason {
    std::string code, message;
  };
  void shut_down(Instance&, Shutdown, const Reason&, Ended);
  void terminate_if_done(Instance&);
  void terminate_by_user(Instance&);

  // ---- interruptions.cpp
  void interrupt(Instance&, Notice, const std::string& reason);
  void interrupt(Instance&, Notice, Duration notice, const std::string& reason);
  void take_back(Instance&, Shutdown);

  // ---- launch_volumes.cpp: the root and the block devices that an instance is launched with
  // Checks and completes the devices of a specification; throws InvalidBlockDeviceMapping and what
  // CreateVolume throws.
  void check_block_devices(LaunchSpec& spec);
  // False where a snapshot is not there any more.
  bool has_snapshots(const LaunchSpec& spec) const;
  bool has_usable_keys(const LaunchSpec& spec) const;
  void make_launch_volumes(const Instance&);
  void attach_launch_volumes(const Instance&);  // it runs
  void end_root(Volume&);                       // its instance is terminated

  // ---- volumes.cpp
  // What the type, the snapshot and the account fill in; throws what CreateVolume throws.
  VolumeSpec completed(const VolumeSpec&);
  // A new record, which nobody is told of yet.
  Volume& new_volume(const VolumeId&, const VolumeSpec& completed);
  Volume& make_volume(const VolumeSpec& completed);
  void delete_volume(Volume&);
  void drop_volume(Volume&);

  // ---- attachments.cpp
  void become_attached(Volume&);
  void plug_all(const Instance&);  // what was attached before the machine was up
  void start_detaching(Volume&, bool force);
  void detach_if_done(Volume&);
  void finish_detaching(Volume&);
  void detach_all_from(const Instance&);            // its machine is gone
  void finish_all_detaching_from(const Instance&);  // it is terminated

  // ---- spot_requests.cpp
  Usd max_price(const LaunchSpec&) const;
  // Slots that are free in the pool now; 0 without a price.
  int free_capacity(const Pool&) const;
  SpotRequest& create_spot_request(const LaunchSpec&, const std::string& type, const FleetId&);
  // `message`: instead of the code's usual one.
  void set_status(SpotRequest&, const std::string& code, const std::string& message = "");
  void fulfil(SpotRequest&, const std::string& availability_zone);  // in a reservation of its own
  void fulfil(SpotRequest&, const std::string& availability_zone, Reservation&);
  void evaluate_later(SpotRequest&);
  void evaluate(SpotRequest&);
  void set_waiting(const SpotRequest&, bool waiting);
  // The cheapest zone in which the request can be had now, or the status code that says why there
  // is none.
  struct Placement {
    std::string availability_zone;
    std::string obstacle;
    std::optional<Usd> required = {};  // the lowest price, where only that is in the way
  };
  std::string price_obstacle(const LaunchSpec&, const Placement&) const;
  Placement place(const LaunchSpec&) const;
  // For who looks for capacity where the simulation has no prices; empty where it has some.
  std::string said_without_prices(const LaunchSpec&) const;
  void request_instance_ended(const Instance&);
  // Something changed in a pool: those that wait and could now succeed try again, at their next
  // try.
  void pool_changed(const Pool&);
  Time next_try(const Retry&) const;

  // ---- fleets.cpp
  void advance(Fleet&, FleetState to);  // sets its state and writes its history
  void record(Fleet&, const std::string& type, const std::string& sub_type,
              const std::string& description, const InstanceId& instance = {});
  void activate(Fleet&);
  void fleet_instance_lost(const Instance&);
  void notice_losses(Fleet&);
  void replace_losses(Fleet&);
  void drop_lost(Fleet&);  // from its list of instances
  void cancelled_if_done(Fleet&);

  // ---- fleet_allocation.cpp
  double owed(const Fleet&) const;  // capacity still to be launched
  const LaunchSpec* choose_spec(const Fleet&) const;
  void allocate(Fleet&);
  void allocate_at(Fleet&, Time);
  void launch_for(Fleet&, const LaunchSpec&);
  void wait_for_capacity(Fleet&);
  void shrink(Fleet&);

  // ---- billing.cpp
  void charge(LineItem);
  void bill(const Instance&, Ended);
  void bill_transfer(const Instance&);
  void bill(const Volume&);
  void bill(const Snapshot&);
  // All that is still charged for, up to now.
  std::vector<LineItem> open_items() const;

  // ---- tags.cpp
  void check_tags(const Tags& added, const Tags& present) const;
  void touch_tagged(const std::string& resource_id);
  // Tags that were just made are seen so much later.
  Duration tags_lag() const;
  void add_tags(const std::string& resource_id, const Tags&);
  void show_tags_later(const std::string& resource_id, const Tags&, Duration lag);
  void tell_tags(const std::string& resource_id, const Tags&);  // of a new resource
  void put_tags(const std::string& resource_id, const Tags&);
  void show_tags(const std::string& resource_id, const Tags&);
  void remove_tag(const std::string& resource_id, Tags& present, Tags::iterator);
  Tags& tags_of(const std::string& resource_id);
};

}  // namespace sim::cloud
