// For tests: a cloud whose instances stop and start again.
#pragma once

#include "sim/cloud/world_for_test.h"

namespace sim::cloud {

// The states of an instance that was stopped, whether its memory was kept or not.
inline constexpr const char* kUntilStopped = "pending running stopping stopped";

struct StoppingWorld : CloudWorld {
  using CloudWorld::CloudWorld;

  std::string path_of(const InstanceId& id) const { return path("instance.state", id.value); }
  Usd cost_of_instances() const {
    Usd sum;
    for (const LineItem& item : cloud.ledger().items())
      if (item.kind == ChargeKind::kInstances) sum += item.cost;
    return sum;
  }
};

}  // namespace sim::cloud
