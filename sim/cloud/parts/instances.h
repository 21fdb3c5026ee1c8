// EC2 instances from pending to terminated, on demand and spot: launches, boots, interruptions and
// ends.
//
// An instance ends once its machine is gone and the time of a shutdown is over. A spot instance
// takes a slot of its pool from its launch until it shuts down, and is interrupted when its pool
// costs more than its maximum price. Other parts hear of each step as InstanceListeners.
// The comments in cloud.h say what each action throws.
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

// The instances that one call launches. EC2 names the reservation after the first of them: "r-" and
// the same digits.
struct Reservation {
  ReservationId id;
  int launched = 0;
};

// Who asked for an instance: the customer (on demand), a spot request, a fleet, or a fleet's spot
// request.
struct Requester {
  SpotRequestId spot_request;
  FleetId fleet;
};

class Instances {
 public:
  Instances(Context&, Host&, Tagging&, Bill&, const LaunchChecks&, SpotCapacity&,
            const LaunchTemplates&, vpc::Network&);
  // Calls this listener about every instance, after the listeners that were added before.
  void add(InstanceListener& listener) { listeners_.push_back(&listener); }

  // All instances, terminated ones among them.
  const std::map<InstanceId, Instance>& all() const { return table_; }
  // An instance, even if it is terminated. Throws InvalidInstanceID.NotFound.
  const Instance& find(const InstanceId&) const;
  // Whether EC2 shows an instance: until an hour after its end, and never one that another service
  // manages.
  bool shows(const Instance&) const;
  // An instance that EC2 shows. Throws InvalidInstanceID.NotFound.
  const Instance& shown(const InstanceId&) const;
  // Whether the instance's operating system is or was up.
  bool has_booted(const InstanceId&) const;

  // ---- launch.cpp
  std::vector<InstanceId> run_on_demand(const LaunchSpec&, int count);
  // For a fleet: `spec` is complete (LaunchChecks) and names a zone whose subnet has an address.
  InstanceId launch_on_demand(const LaunchSpec& spec, const FleetId&);
  // `spec` is complete (LaunchChecks) and names a zone in which there is capacity.
  InstanceId launch_spot(const LaunchSpec& spec, const Requester&, Reservation&);
  void require_imds_v2_of_launches() { launches_require_imds_v2_ = true; }

  // ---- instances.cpp
  void terminate(const std::vector<InstanceId>&);
  // Ends an instance in the name of the customer, whether it is protected or not. Nothing happens
  // if it is ending already.
  void terminate_by_user(const InstanceId&);
  void reboot(const std::vector<InstanceId>&);
  // Reboots a running instance; `at_rest` as Host::reboot has it. Before the instance has booted,
  // nothing runs on it.
  void reboot_for(const InstanceId&, std::function<void()> at_rest);
  void set_disable_api_termination(const InstanceId&, bool disabled);
  void set_security_groups(const InstanceId&, const std::vector<std::string>& ids);
  void set_instance_profile(const InstanceId&, const std::string& name_or_arn);
  void require_imds_v2(const InstanceId&);
  void power_off(const InstanceId&);  // by its own operating system
  // The instance sent or received so many bytes across zones.
  void add_regional_bytes(const InstanceId&, std::int64_t bytes);

  // ---- interruptions.cpp
  void interrupt(const InstanceId&, Notice, const std::string& reason);
  void interrupt_after(const InstanceId&, Duration notice, const std::string& reason);
  void fail_host(const InstanceId&);
  std::vector<InstanceId> reclaim(const Pool&, Notice, const std::string& reason);
  void recommend_rebalance(const InstanceId&);
  // The pool's prices have changed: computes again when they exceed each instance's maximum price.
  void watch_prices(const Pool&);

  // What the instances that are not terminated have cost up to now, in launch order.
  Bill::Items open_items() const;

 private:
  // What is under way for an instance. The instance's record is what the APIs show.
  struct Work {
    std::optional<EventId> start;         // pending → running, then running → boot
    std::optional<EventId> price_watch;   // the price rises above the maximum
    std::optional<EventId> interruption;  // the notice is over
    std::string interruption_reason;      // set from the notice on
    bool booted = false;
    int reboots = 0;
    bool machine_gone = false;
    bool shutdown_elapsed = false;
  };
  struct Reason {
    std::string code, message;
  };

  template <class... Args>
  void notify(void (InstanceListener::*event)(const Instance&, Args...), const Instance& instance,
              const std::type_identity_t<Args>&... args) {
    for (InstanceListener* listener : listeners_) (listener->*event)(instance, args...);
  }
  Instance& own(const InstanceId&);
  Instance& own_shown(const InstanceId&);
  Instance& modifiable(const InstanceId&);
  void restart(const Instance&, std::function<void()> at_rest);

  InstanceId launch(const LaunchSpec&, Lifecycle, const Requester&, Reservation&);
  void join_network(Instance&);
  void watch_price(Instance&);
  void become_running(Instance&);
  void boot(Instance&);
  void interrupt(Instance&, Notice, Duration before, const std::string& reason);
  void take_back(Instance&, Shutdown);
  void shut_down(Instance&, Shutdown, const Reason&, Ended);
  void terminate_if_done(Instance&);

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
