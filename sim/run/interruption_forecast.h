// Knows when spot instances will be interrupted: strikes of the plan, prices and capacity of the
// traces, and drawn lifetimes. Oracle policies read it to show what perfect foresight is worth.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "sim/cloud/cloud.h"
#include "sim/guest/fiber/spot_watch.h"
#include "sim/scenario/scenario.h"

namespace sim::run {

// Answers for one run. Oracle policies and strategies are its only users; nothing else in a run
// knows the future.
class InterruptionForecast {
 public:
  // Both arguments must outlive this object.
  InterruptionForecast(const scenario::Scenario& scenario, cloud::Cloud& cloud)
      : scenario_(scenario), cloud_(cloud) {}

  // Announces a strike on this instance. The instance may end earlier.
  void foretell(const cloud::InstanceId& id, Time at, Duration notice) {
    told_[id].push_back({at, notice});
  }

  // The next interruption of a running spot instance. Where a trace's capacity falls, the order of
  // the pool's present instances decides.
  std::optional<guest::InterruptionAhead> next(const cloud::InstanceId& id) const;

 private:
  const scenario::Scenario& scenario_;
  cloud::Cloud& cloud_;
  struct Strike {
    Time at;
    Duration notice;
  };
  std::map<cloud::InstanceId, std::vector<Strike>> told_;
};

}  // namespace sim::run
