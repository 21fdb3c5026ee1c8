// EC2 instances from pending to terminated, on-demand and spot: launches, boots, interruptions and
// ends.
//
// An instance ends once its machine is gone and the time of a shutdown is over. A spot instance
// occupies a slot of its pool from its launch until it shuts down. EC2 interrupts the instance when
// the price of the pool exceeds the maximum price. Other parts learn of each step as
// InstanceListeners. The comments in cloud.h say what each action throws.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/cloud/host.h"
#include "sim/cloud/parts/bill.h"
#include "sim/cloud/parts/context.h"
#include "sim/cloud/parts/instance_listener.h"
#include "sim/cloud/parts/launch_checks.h"
#include "sim/cloud/parts/launch_templates.h"
#include "sim/cloud/parts/spot_capacity.h"
#include "sim/cloud/parts/tagging.h"
#include "sim/vpc/network.h"

namespace sim::cloud {

// The instances that one call launches. EC2 names the reservation after the first instance: "r-"
// and the same digits.
struct Reservation {
  ReservationId id;
  int launched = 0;
};

// The origin of an instance: a spot request, a fleet, or a fleet's spot request. Both are empty if
// the customer launched it on demand.
struct Requester {
  SpotRequestId spot_request;
  FleetId fleet;
};

class Instances {
 public:
  Instances(Context&, Host&, Tagging&, Bill&, const LaunchChecks&, SpotCapacity&,
            const LaunchTemplates&, vpc::Network&);
  // Adds a listener, which is called for every instance, after the listeners that were added
  // before.
  void add(InstanceListener& listener) { listeners_.push_back(&listener); }

  // All instances, including terminated ones.
  const std::map<InstanceId, Instance>& all() const { return table_; }
  // An instance, even if it is terminated. Throws InvalidInstanceID.NotFound.
  const Instance& find(const InstanceId&) const;
  // Whether EC2 shows an instance. It does so until an hour after the instance's end, and never for
  // an instance that another service manages.
  bool shows(const Instance&) const;
  // An instance that EC2 shows. Throws InvalidInstanceID.NotFound.
  const Instance& shown(const InstanceId&) const;
  // Whether the instance's operating system is or was up.
  bool has_booted(const InstanceId&) const;

  // ---- launch.cpp
  // As many as there is capacity for, from `least` to `most`. Throws VcpuLimitExceeded or
  // InsufficientInstanceCapacity if these are fewer than `least`.
  std::vector<InstanceId> run_on_demand(const LaunchSpec&, int least, int most);
  // For a fleet: `spec` is complete (LaunchChecks) and names a zone whose subnet has an address.
  InstanceId launch_on_demand(const LaunchSpec& spec, const FleetId&);
  // `spec` is complete (LaunchChecks) and names a zone in which there is capacity.
  InstanceId launch_spot(const LaunchSpec& spec, const Requester&, Reservation&);
  void require_imds_v2_of_launches() { launches_require_imds_v2_ = true; }

  // ---- instances.cpp
  void terminate(const std::vector<InstanceId>&);
  // Ends an instance on behalf of the customer, even if it is protected. Has no effect if the
  // instance is already ending.
  void terminate_by_user(const InstanceId&);
  void reboot(const std::vector<InstanceId>&);
  // ---- stopping.cpp
  void stop(const std::vector<InstanceId>&);
  void hibernate(const std::vector<InstanceId>&);
  void start(const std::vector<InstanceId>&);
  // Throws ApiError for instances that only EC2 may start: "Only Amazon EC2 can restart an
  // interrupted stopped Spot Instance" (EC2 user guide, "Stop interrupted Spot Instances").
  void check_may_start_now(const std::vector<InstanceId>&) const;
  // Whether a stopped instance has capacity to start, for a spot one at its maximum price.
  bool may_start(const Instance&) const;
  // ---- instances.cpp
  // Reboots a running instance. `at_rest` is as for Host::reboot. If the instance has not booted
  // yet, nothing runs on it.
  void reboot_for(const InstanceId&, std::function<void()> at_rest);
  void set_disable_api_termination(const InstanceId&, bool disabled);
  void set_shutdown_behavior(const InstanceId&, bool stops_itself);
  void set_monitoring(const std::vector<InstanceId>& ids, bool detailed);
  void set_instance_type(const InstanceId&, const std::string& type);
  void set_user_data(const InstanceId&, const std::string& user_data);
  void set_ebs_optimized(const InstanceId&, bool optimized);
  void set_security_groups(const InstanceId&, const std::vector<std::string>& ids);
  void set_instance_profile(const InstanceId&, const std::string& name_or_arn);
  void set_metadata_options(const InstanceId&, const LaunchSpec&);
  void require_imds_v2(const InstanceId&);
  void power_off(const InstanceId&, bool machine_gone);  // by its own operating system
  // Counts bytes that the instance sent or received across zones.
  void add_regional_bytes(const InstanceId&, std::int64_t bytes);

  // ---- interruptions.cpp
  void interrupt(const InstanceId&, Notice, const std::string& reason);
  void interrupt_after(const InstanceId&, Duration notice, const std::string& reason);
  void fail_host(const InstanceId&);
  std::vector<InstanceId> reclaim(const Pool&, Notice, const std::string& reason);
  void recommend_rebalance(const InstanceId&);
  // ---- maintenance.cpp
  void schedule_maintenance(const InstanceId&, MaintenanceEvent);

  // ---- interruptions.cpp
  // Called when the pool's prices have changed. Computes again when the price exceeds each
  // instance's maximum price.
  void watch_prices(const Pool&);

  // The cost up to now of all instances that are not terminated, in launch order.
  Bill::Items open_items() const;

 private:
  // The transitions in progress of an instance. Its record is what the APIs show.
  struct Work {
    std::optional<EventId> start;         // pending → running, then running → boot
    std::optional<EventId> price_watch;   // when the price exceeds the maximum
    std::optional<EventId> interruption;  // end of the notice
    std::string interruption_reason;      // set when the notice is given
    bool booted = false;                  // false while the instance is stopped
    bool has_system = false;              // its operating system has started once
    int reboots = 0;
    int starts = 0;                    // after the launch
    Ended ended = Ended::kByCustomer;  // who hibernates it, for its bill
    bool machine_gone = false;
    bool shutdown_elapsed = false;
  };
  struct Reason {
    std::string code, message;
  };
  // The code of an instance that an interruption has stopped (EC2 API reference, StateReason).
  static constexpr const char* kInterruptedStop = "Server.SpotInstanceShutdown";

  template <class... Args>
  void notify(void (InstanceListener::*event)(const Instance&, Args...), const Instance& instance,
              const std::type_identity_t<Args>&... args) {
    for (InstanceListener* listener : listeners_) (listener->*event)(instance, args...);
  }
  Instance& own(const InstanceId&);
  Instance& own_shown(const InstanceId&);
  Instance& modifiable(const InstanceId&);
  Instance& stopped(const InstanceId&);
  void restart(const Instance&, std::function<void()> at_rest);

  std::string zone_on_demand(const LaunchSpec&, int least) const;
  InstanceId launch(const LaunchSpec&, Lifecycle, const Requester&, Reservation&);
  void join_network(Instance&);
  void watch_price(Instance&);
  void become_running(Instance&);
  void boot(Instance&);
  void interrupt(Instance&, Notice, Duration before, const std::string& reason);
  void take_back(Instance&, Shutdown);
  void begin_maintenance(const InstanceId&, std::size_t event);
  void set_maintenance(Instance&, MaintenanceEvent&, MaintenanceState);
  // Gives this state to all events of the instance that are active, or to those with this code.
  void end_maintenance(Instance&, MaintenanceState, std::optional<MaintenanceCode> = {});
  // Before the instance stops or shuts down: it boots no further, and nothing interrupts it.
  void cancel_transitions(Instance&);
  static void set_reason(Instance&, const Reason&);
  void shut_down(Instance&, Shutdown, const Reason&, Ended);
  void give_back_capacity(const Instance&);
  void leave_group(const Instance&);
  void terminate_if_done(Instance&);
  void check_may_stop_now(const std::vector<InstanceId>&) const;
  void begin_stop(Instance&, const Reason&, Ended, Shutdown = Shutdown::kGraceful);
  void begin_hibernation(Instance&, const Reason&, Ended);
  void set_stopping(Instance&, const Reason&);
  void wait_for_rest(Instance&);
  std::function<void()> at_rest(Instance&);
  void stop_if_done(Instance&);
  ApiError start_refusal(const Instance&) const;
  void start(Instance&);
  void run_again(Instance&);
  void resume(Instance&);
  void terminate_stopped(Instance&, const Reason&);

  Context& context_;
  Host& host_;
  Tagging& tagging_;
  Bill& bill_;
  const LaunchChecks& checks_;
  SpotCapacity& capacity_;
  const LaunchTemplates& launch_templates_;
  vpc::Network& network_;
  std::vector<InstanceListener*> listeners_;
  std::map<InstanceId, Instance> table_;
  std::map<InstanceId, Work> work_;
  std::vector<InstanceId> launch_order_;
  bool launches_require_imds_v2_ = false;
};

}  // namespace sim::cloud
