// What can be known of a spot instance from within: its pool's price, those of the job's instances
// that went before it, what the metadata service says of its end.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "policies/checkpoint/state.h"
#include "sim/cloud/cloud.h"

namespace sim::guest {

// The next interruption of a spot instance: when it is gone, and whether it has a notice before.
struct InterruptionAhead {
  Time at;
  bool noticed = false;
};
// Of this instance; empty: there will be none. What nobody but an oracle may ask.
using NextInterruption = std::function<std::optional<InterruptionAhead>(const cloud::InstanceId&)>;

// The instance's own, as a program on it may watch: the price in force in its pool (as
// DescribeSpotPriceHistory tells it), its request's maximum price, and the metadata service. All
// stay empty for an on-demand instance but the lives.
class SpotWatch {
 public:
  // Looks at what has been: all later changes are seen by look(). `next_interruption` is empty
  // where no policy is to know the future.
  SpotWatch(cloud::Cloud& cloud, const cloud::InstanceId& instance,
            NextInterruption next_interruption);

  // Fills in price, bid, lives, rebalance, next_interruption and, where state.notice is set,
  // time_left, as they are at t. The lives are valid as long as this watch.
  void look(Time t, policies::CheckpointState& state);
  // Whether look() at t could tell another price or recommendation than the last look() did.
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
