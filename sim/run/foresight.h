// When spot instances will be interrupted: what the world has decided, and an oracle is told.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "sim/cloud/cloud.h"
#include "sim/run/scenario.h"

namespace sim::run {

market::Pool pool_of(const cloud::Instance& instance);
// A pool's spot instances that run at this instant, by ID.
std::vector<cloud::InstanceId> running_spot(const cloud::Cloud& cloud, const market::Pool& pool);
// Those that hold a slot and were not told to go: pending and running ones, in launch order.
std::vector<const cloud::Instance*> held_spot(const cloud::Cloud& cloud, const market::Pool& pool);

class Foresight {
 public:
  // Both must outlive it.
  Foresight(const Scenario& scenario, cloud::Cloud& cloud) : scenario_(scenario), cloud_(cloud) {}

  // This instance will be struck then, if it still runs.
  void foretell(const cloud::InstanceId& id, Time at) { told_[id].push_back(at); }

  // When the instance, a running spot instance, will be struck next, by a notice or at once; after
  // a notice, its end. Empty: never. For a trace whose capacity falls it counts the instances that
  // are there now.
  std::optional<Time> next(const cloud::InstanceId& id) const;

 private:
  const Scenario& scenario_;
  cloud::Cloud& cloud_;
  std::map<cloud::InstanceId, std::vector<Time>> told_;
};

}  // namespace sim::run
