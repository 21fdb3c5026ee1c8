// Estimated-interval checkpointing of Jung, Lim, Yu and Suh, "Estimated interval-based
// checkpointing (EIC) on spot instances in cloud computing", J. Appl. Math. 2014, 217547, its price
// threshold, equations (4) to (6): save when the price rises above
//     (WPmin + bid) ÷ 2,   WPmin = Σ α_i·Pmin_i ÷ Σ α_i,
// where Pmin_i is the lowest price of the i-th of the last intervals. Here an interval is an hour,
// the one at hand among them, five count, and the weight α falls linearly from 5 for the newest
// to 1.
#include <algorithm>
#include <deque>

#include "policies/checkpoint/policy.h"
#include "policies/checkpoint/price_rise.h"

namespace policies {
namespace {

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

CheckpointPolicy make_eic_policy(std::string_view) {
  return {[minima = Minima(), rises = PriceRise()](const CheckpointState& state) mutable {
            minima.see(state.now, *state.price);
            const double threshold = (minima.weighted_mean() + *state.bid) / 2;
            return full_if(rises(*state.price) && *state.price > threshold);
          },
          {Input::price, Input::bid}};
}

}  // namespace policies
