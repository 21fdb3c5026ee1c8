// Policies that go by the spot price, or by how EC2 charged for hours.
#include <algorithm>
#include <deque>

#include "policies/checkpoint/argument.h"
#include "policies/checkpoint/policy.h"

namespace policies {
namespace {

// Telling when a price rises.
class PriceRise {
 public:
  // True when this price is above the last one.
  bool operator()(double price) {
    const bool rose = before_ && price > *before_;
    before_ = price;
    return rose;
  }

 private:
  std::optional<double> before_;
};

// ---- of eic
constexpr std::size_t kIntervals = 5;
constexpr Duration kInterval = std::chrono::hours(1);

// The lowest prices of the last intervals, newest first.
class Minima {
 public:
  void see(Duration now, double price) {
    if (lowest_.empty() || now - begin_ >= kInterval) {
      begin_ = now;
      lowest_.push_front(price);
      if (lowest_.size() > kIntervals) lowest_.pop_back();
    }
    lowest_.front() = std::min(lowest_.front(), price);
  }
  double weighted_mean() const {
    double sum = 0, weights = 0, weight = kIntervals;
    for (const double lowest : lowest_) {
      sum += weight * lowest;
      weights += weight;
      weight -= 1;
    }
    return sum / weights;
  }

 private:
  Duration begin_{};
  std::deque<double> lowest_;
};

}  // namespace

// Hour-boundary checkpointing of Yi, Kondo and Andrzejak, "Reducing costs of spot instances via
// checkpointing in the Amazon Elastic Compute Cloud", IEEE CLOUD 2010. It saves just before each
// full hour since the launch. At that time EC2 did not charge a started hour that it interrupted.
CheckpointPolicy make_hourly_policy(std::string_view) {
  return {[](const CheckpointState& state) {
            // The hour in which the next step's checkpoint would end.
            const auto hour_at = [&](Duration since_launch) {
              return std::chrono::floor<std::chrono::hours>(since_launch + *state.step_time +
                                                            *state.checkpoint_cost);
            };
            const Duration age_at_last =
                *state.since_launch - (state.now - state.last_checkpoint_time);
            const auto hour = hour_at(*state.since_launch);
            return full_if(hour > std::chrono::hours(0) && hour > hour_at(age_at_last));
          },
          {Input::since_launch, Input::step_time, Input::checkpoint_cost}};
}

// Rising-edge-driven checkpointing of Yi, Kondo and Andrzejak (IEEE CLOUD 2010): whenever the spot
// price rises and is still below the bid.
CheckpointPolicy make_rising_edge_policy(std::string_view) {
  return {[rises = PriceRise()](const CheckpointState& state) mutable {
            return full_if(rises(*state.price) && *state.price < *state.bid);
          },
          {Input::price, Input::bid},
          quiet_until_told};
}

// A rise of the spot price to within a share of the bid: price > bid·(1 − share). The rule is from
// Jung et al., "An efficient checkpointing scheme using price history of spot instances in cloud
// computing environment", NPC 2011. Here the share is fixed and does not come from the history.
CheckpointPolicy make_threshold_policy(std::string_view argument) {
  return {
      [share = read_share(argument), rises = PriceRise()](const CheckpointState& state) mutable {
        return full_if(rises(*state.price) && *state.price > *state.bid * (1 - share));
      },
      {Input::price, Input::bid},
      quiet_until_told};
}

// Estimated-interval checkpointing of Jung, Lim, Yu and Suh, "Estimated interval-based
// checkpointing (EIC) on spot instances in cloud computing", J. Appl. Math. 2014, 217547. This is
// its price threshold, equations (4) to (6). It saves when the price rises above
//     (WPmin + bid) ÷ 2,   WPmin = Σ α_i·Pmin_i ÷ Σ α_i,
// where Pmin_i is the lowest price of the i-th of the last intervals. Here an interval is an hour,
// and five intervals count, including the present one. The weight α falls linearly from 5 for the
// newest to 1.
CheckpointPolicy make_eic_policy(std::string_view) {
  return {[minima = Minima(), rises = PriceRise()](const CheckpointState& state) mutable {
            minima.see(state.now, *state.price);
            const double threshold = (minima.weighted_mean() + *state.bid) / 2;
            return full_if(rises(*state.price) && *state.price > threshold);
          },
          {Input::price, Input::bid}};
}

}  // namespace policies
