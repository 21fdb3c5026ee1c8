// Spot instance requests: direct ones of customers, and those through which fleets launch.
//
// A direct request is evaluated once, when its validity has begun. Then the request waits for
// capacity in the pool at its maximum price, until its validity ends. A request is closed when its
// instance ends; a persistent one opens again. This class listens to Instances. The comments in
// cloud.h say what each action throws.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/cloud/parts/context.h"
#include "sim/cloud/parts/instance_listener.h"
#include "sim/cloud/parts/instances.h"
#include "sim/cloud/parts/launch_checks.h"
#include "sim/cloud/parts/spot_capacity.h"
#include "sim/cloud/parts/tagging.h"

namespace sim::cloud {

class SpotRequests : public InstanceListener {
 public:
  SpotRequests(Context&, Tagging&, const LaunchChecks&, const SpotCapacity&, Instances&);

  // All requests, including closed ones.
  const std::map<SpotRequestId, SpotRequest>& all() const { return table_; }
  // True if a request may still launch an instance, or start one that EC2 has stopped.
  bool any_may_launch() const;

  // ---- direct requests
  std::vector<SpotRequestId> request(const LaunchSpec&, int count, const std::string& type,
                                     const Validity&);
  std::vector<InstanceId> run_now(const LaunchSpec&, int least, int most, const std::string& type,
                                  std::optional<Time> valid_until);
  void cancel(const SpotRequestId&);
  // Throws UnsupportedOperation for a spot instance whose request is not persistent.
  void check_may_stop(const Instance&) const;

  // The number of further spot instances with this specification that the account's quotas allow.
  int room_in_quotas(const LaunchSpec&) const;

  // Launches an instance for a fleet in the zone of `spec`, which is complete and has capacity.
  InstanceId launch_for(const FleetId&, const LaunchSpec& spec);

  // Called when the price or the capacity of a pool has changed. A waiting request that could now
  // succeed tries again, at the time of its next attempt.
  void pool_changed(const Pool&);
  // The same when a private address or a network interface is free again.
  void address_freed();

  void interrupted(const Instance&, const std::string& reason) override;
  void shutting_down(const Instance&, Ended) override;
  void stopping(const Instance&, Ended) override;
  void stopped(const Instance&) override;
  void starting(const Instance&) override;
  void terminated(const Instance&) override;

 private:
  struct Work {
    Retry retry;
    std::string interruption;  // the reason why EC2 stops the instance; empty: the user does
    std::size_t number = 0;    // the order in which waiting requests are tried
    std::optional<EventId> expiry;
  };

  SpotRequest& own(const SpotRequestId&);
  bool counts(const SpotRequest&) const;
  void check_quotas(const LaunchSpec&, int count) const;
  SpotRequest& make(const LaunchSpec&, const std::string& type, const FleetId&);
  SpotRequest& make_direct(const LaunchSpec&, const std::string& type);
  // An empty message means the usual message of the code.
  void set_status(SpotRequest&, const std::string& code, const std::string& message = "");
  void fulfil(SpotRequest&, const std::string& availability_zone, Reservation&);
  // ---- spot_validity.cpp
  void check(const Validity&) const;  // throws InvalidParameterValue
  // Evaluates the request when its validity begins, and ends it at the end of its validity.
  void schedule(SpotRequest&);
  void schedule_expiry(SpotRequest&);
  void expire(SpotRequest&);
  void end_open(SpotRequest&, const std::string& status);

  void evaluate_later(SpotRequest&);
  void evaluate(SpotRequest&);
  void start_again(SpotRequest&);
  void set_waiting(const SpotRequest&, bool waiting);
  // Tries waiting requests again if a change concerns their launch.
  void try_waiting(const std::function<bool(const LaunchSpec&)>& concerns);

  Context& context_;
  Tagging& tagging_;
  const LaunchChecks& checks_;
  const SpotCapacity& capacity_;
  Instances& instances_;
  std::map<SpotRequestId, SpotRequest> table_;
  // Of direct requests, and of fleets' requests whose instances stop at an interruption.
  std::map<SpotRequestId, Work> work_;
  std::map<std::size_t, SpotRequestId> waiting_;  // by Work::number
  std::size_t numbered_ = 0;                      // number of these requests so far
};

}  // namespace sim::cloud
