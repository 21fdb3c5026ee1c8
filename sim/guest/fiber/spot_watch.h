// The facts that a program on a spot instance can observe: its pool's price, earlier lives of the
// job's instances, and the metadata about its end.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "policies/checkpoint/state.h"
#include "sim/cloud/cloud.h"

namespace sim::guest {

// The next interruption of a spot instance: when it ends, and whether it gets a notice.
struct InterruptionAhead {
  Time at;
  bool noticed = false;
};
// The next interruption of this instance; empty: none. Only oracles may use it.
using NextInterruption = std::function<std::optional<InterruptionAhead>(const cloud::InstanceId&)>;

// Watches one instance: the price in its pool (as in DescribeSpotPriceHistory), its request's
// maximum price, and the metadata service. For an on-demand instance all values except the lives
// stay empty.
class SpotWatch {
 public:
  // Reads the past; look() sees all later changes. `next_interruption` is empty if no policy is an
  // oracle.
  SpotWatch(cloud::Cloud& cloud, const cloud::InstanceId& instance,
            NextInterruption next_interruption);

  // Fills in price, bid, lives, rebalance, next_interruption and, if state.notice is set,
  // time_left, with their values at t. The lives are valid as long as this watch.
  void look(Time t, policies::CheckpointState& state);
  // True if look() at t could return another price or recommendation than the last look().
  bool has_news(Time t) const;

 private:
  void look_at_price(Time t);

  const market::Market& market_;
  const cloud::Instance& instance_;
  cloud::Pool pool_;
  NextInterruption next_interruption_;
  std::vector<Duration> lives_;
  std::optional<double> price_, bid_;
  Time price_until_ = Time::min();
  bool rebalance_ = false;
};

}  // namespace sim::guest
