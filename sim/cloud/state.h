// What Cloud hides: the tables, what is under way for each resource, and the one way to change a
// state. The functions lie in the file of their section.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/cloud/billing.h"
#include "sim/cloud/cloud.h"
#include "sim/cloud/id_source.h"

namespace sim::cloud {

// What is under way for an instance; its record is what the APIs show.
struct InstanceWork {
  std::optional<EventId> start;         // pending → running, then running → boot
  std::optional<EventId> price_watch;   // the price rises above the maximum
  std::optional<EventId> interruption;  // the notice is over
  std::string interruption_reason;      // set from the notice on
  bool booted = false;
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
  int draws = 0;  // of random delays, so that each has a stream of its own
};

struct FleetWork {
  Retry retry;
  double launched = 0;  // capacity launched ever: a "request" fleet replaces nothing
};

struct Cloud::State {
  State(Simulation&, EventLog&, const Streams&, market::Market&, Host&, Config);

  Simulation& simulation;
  EventLog& log;
  Streams streams;
  market::Market& market;
  Host& host;
  Config config;
  Ledger ledger;
  IdSource ids;
  bool books_closed = false;

  std::map<InstanceId, Instance> instances;
  std::map<VolumeId, Volume> volumes;
  std::map<SnapshotId, Snapshot> snapshots;
  std::map<SpotRequestId, SpotRequest> spot_requests;
  std::map<FleetId, Fleet> fleets;
  std::map<LaunchTemplateId, LaunchTemplate> launch_templates;

  std::map<InstanceId, InstanceWork> instance_work;
  std::map<VolumeId, VolumeWork> volume_work;
  std::map<SnapshotId, EventId> snapshot_completion;  // of pending ones
  std::map<SpotRequestId, Retry> request_work;        // of direct ones
  std::map<FleetId, FleetWork> fleet_work;
  std::vector<InstanceId> launch_order;
  std::vector<SpotRequestId> direct_requests;  // made by customers, not by fleets; in order
  std::map<Pool, int> spot_in_use;             // pending and running spot instances

  // ---- state.cpp
  Time now() const { return simulation.now(); }
  // The step must be on the resource's graph (asserted); logs "<resource>.state" with `ids`, from,
  // to, `more`.
  void transition(std::string_view resource, std::string_view from, std::string_view to, Json ids,
                  Json more = Json::object());
  // A draw from the stream of this name and id.
  Duration draw(Range range, std::string_view name, const std::string& id) const;
  void cancel(std::optional<EventId>& event);
  // Throw Invalid*.NotFound, also for what EC2 shows no more.
  Instance& find(const InstanceId&);
  Volume& find(const VolumeId&);
  Snapshot& find(const SnapshotId&);
  SpotRequest& find(const SpotRequestId&);
  Fleet& find(const FleetId&);
  LaunchTemplate& find(const LaunchTemplateId&);

  // ---- launch.cpp
  // Fills in zone and subnet; throws what RunInstances throws for a bad specification.
  void check_and_complete(LaunchSpec& spec) const;
  InstanceId launch(const LaunchSpec& spec, Lifecycle, const SpotRequestId&, const FleetId&);

  // ---- instances.cpp
  void set_state(Instance&, InstanceState to, Json more);
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
  void take_back(Instance&, Shutdown);

  // ---- volumes.cpp
  void set_state(Volume&, VolumeState to, Json more = Json::object());
  void delete_volume(Volume&);

  // ---- attachments.cpp
  void set_state(Attachment&, AttachmentState to);
  void become_attached(Volume&);
  void plug_all(const Instance&);  // what was attached before the machine was up
  void start_detaching(Volume&, bool force);
  void detach_if_done(Volume&);
  void finish_detaching(Volume&);
  void detach_all_from(const Instance&);            // its machine is gone
  void finish_all_detaching_from(const Instance&);  // it is terminated

  // ---- snapshots.cpp
  void set_state(Snapshot&, std::string_view from, std::string_view to);

  // ---- spot_requests.cpp
  Usd max_price(const LaunchSpec&) const;
  // Slots that are free in the pool now; 0 without a price.
  int free_capacity(const Pool&) const;
  SpotRequest& create_spot_request(const LaunchSpec&, const std::string& type, const FleetId&);
  void set_state(SpotRequest&, SpotRequestState to);
  void set_status(SpotRequest&, const std::string& code);
  void fulfil(SpotRequest&, const std::string& availability_zone);
  void evaluate_later(SpotRequest&);
  void evaluate(SpotRequest&);
  // The cheapest zone in which the request can be had now, or the status code that says why there
  // is none.
  struct Placement {
    std::string availability_zone;
    std::string obstacle;
  };
  Placement place(const LaunchSpec&) const;
  void request_instance_ended(const Instance&);
  // Something changed in a pool: those that wait and could now succeed try again, at their next
  // try.
  void pool_changed(const Pool&);
  Time next_try(const Retry&) const;

  // ---- fleets.cpp
  void set_state(Fleet&, FleetState to);
  void record(Fleet&, const std::string& type, const std::string& sub_type,
              const std::string& description, const InstanceId& instance = {});
  void activate(Fleet&);
  void fleet_instance_lost(const Instance&);
  void cancelled_if_done(Fleet&);

  // ---- fleet_allocation.cpp
  double owed(const Fleet&) const;  // capacity still to be launched
  const LaunchSpec* choose_spec(const Fleet&) const;
  void allocate(Fleet&);
  void allocate_at(Fleet&, Time);
  void launch_for(Fleet&, const LaunchSpec&);
  void wait_for_capacity(Fleet&);
  void shrink(Fleet&);

  // ---- billing_events.cpp
  void bill(const Instance&, Ended);
  void bill(const Volume&);
  void bill(const Snapshot&);
  // All that is still charged for, up to now.
  std::vector<LineItem> open_items() const;

  // ---- tags.cpp
  void check_tags(const Tags& added, const Tags& present) const;
  void log_tags(const std::string& resource_id, const Tags&);
  Tags& tags_of(const std::string& resource_id);
};

}  // namespace sim::cloud
