// CheckFreq (Mohan, Phanishayee and Chidambaram, FAST'21). A checkpoint is a snapshot, during which
// training stops, and a persist, during which it continues. A checkpoint is taken every k steps,
// with
//     k = max(⌈(t_full − t_snapshot) ÷ t_step⌉, 1),
// so that a checkpoint is durable before the next begins. k grows by 2 whenever the measured
// overhead is above its bound. The overhead is the stall as a share of the computing time of k
// steps.
#include <cmath>

#include "policies/checkpoint/argument.h"
#include "policies/checkpoint/policy.h"
#include "policies/checkpoint/seconds.h"

namespace policies {
namespace {

class CheckFreq {
 public:
  explicit CheckFreq(double bound) : bound_(bound) {}

  Save operator()(const CheckpointState& state) {
    const double step = seconds_of(*state.step_time);
    const double snapshot = seconds_of(*state.checkpoint_cost);
    if (step <= 0) return Save::no;
    const double hidden = std::ceil((seconds_of(*state.persist_time) - snapshot) / step);
    double interval = std::max(hidden, 1.0) + grown_;
    if (state.last_checkpoint_step != measured_) {
      measured_ = state.last_checkpoint_step;
      if (snapshot > bound_ * interval * step) {
        grown_ += 2;
        interval += 2;
      }
    }
    const auto since = state.step - state.last_checkpoint_step;
    return full_if(!state.persisting && static_cast<double>(since) >= interval);
  }

 private:
  double bound_;
  double grown_ = 0;
  std::int64_t measured_ = 0;  // step of the last checkpoint whose overhead was measured
};

}  // namespace

CheckpointPolicy make_checkfreq_policy(std::string_view argument) {
  return {CheckFreq(read_share(argument)),
          {Input::step_time, Input::checkpoint_cost, Input::persist_time}};
}

}  // namespace policies
