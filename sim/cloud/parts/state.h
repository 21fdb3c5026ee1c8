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

#include "sim/cloud/parts/launch_templates.h"
#include "sim/cloud/parts/lookup.h"
#include "sim/cloud/parts/records.h"
#include "sim/cloud/parts/volumes.h"

namespace sim::cloud {

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

struct Cloud::State : Context {
  State(Simulation&, const Streams&, market::Market&, Host&, Config);

  market::Market& market;
  Host& host;
  Tagging tagging;
  Bill bill;
  LaunchTemplates launch_templates;
  Snapshots snapshots;
  Volumes volumes;
  const Records* past = nullptr;  // what the readers of Cloud show instead of the present
  bool launches_require_imds_v2 = false;

  std::map<InstanceId, Instance> instances;
  std::map<SpotRequestId, SpotRequest> spot_requests;
  std::map<FleetId, Fleet> fleets;

  std::map<InstanceId, std::set<VolumeId>> attached;

  std::map<InstanceId, InstanceWork> instance_work;
  std::map<VolumeId, VolumeWork> volume_work;
  std::map<SpotRequestId, Retry> request_work;  // of direct ones
  std::map<FleetId, FleetWork> fleet_work;
  std::vector<InstanceId> launch_order;
  std::size_t direct_requests = 0;                        // made by customers, not by fleets
  std::map<std::size_t, SpotRequestId> waiting_requests;  // direct ones, by Retry::number
  std::map<Pool, int> spot_in_use;                        // pending and running spot instances

  // ---- state.cpp
  using Context::set_state;
  using Context::tell_new;
  void set_state(Volume& volume, VolumeState to) { volumes.set_state(volume, to); }
  void set_state(Attachment& attachment, AttachmentState to) {
    volumes.touch(volumes.find(attachment.volume));
    Context::set_state(attachment, to);
  }
  void tell_new(Attachment& attachment) {
    volumes.touch(volumes.find(attachment.volume));
    Context::tell_new(attachment);
  }
  // What there is or was. Throw Invalid*.NotFound.
  Instance& find(const InstanceId&);
  SpotRequest& find(const SpotRequestId&);
  Fleet& find(const FleetId&);
  bool shows(const Instance&) const;
  // What a customer names: throw also for what EC2 shows no more.
  Instance& shown(const InstanceId&);
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
  void make_launch_volumes(const Instance&);
  void attach_launch_volumes(const Instance&);  // it runs
  void end_root(Volume&);                       // its instance is terminated

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

  // All that is still charged for, up to now.
  std::vector<LineItem> open_items() const;
};

}  // namespace sim::cloud
