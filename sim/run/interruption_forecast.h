// When spot instances will be interrupted: what the world has decided, and an oracle is told.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "sim/cloud/cloud.h"
#include "sim/guest/fiber/spot_watch.h"
#include "sim/scenario/scenario.h"

namespace sim::run {

class InterruptionForecast {
 public:
  // Both must outlive it.
  InterruptionForecast(const Scenario& scenario, cloud::Cloud& cloud)
      : scenario_(scenario), cloud_(cloud) {}

  // Announces a strike on this instance at a time, in case the instance still runs.
  void foretell(const cloud::InstanceId& id, Time at, Duration notice) {
    told_[id].push_back({at, notice});
  }

  // The next interruption of a running spot instance. For a trace whose capacity falls it counts
  // the instances that are there now.
  std::optional<guest::InterruptionAhead> next(const cloud::InstanceId& id) const;

 private:
  const Scenario& scenario_;
  cloud::Cloud& cloud_;
  struct Strike {
    Time at;
    Duration notice;
  };
  std::map<cloud::InstanceId, std::vector<Strike>> told_;
};

}  // namespace sim::run
