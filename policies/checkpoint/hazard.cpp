// Hazard-aware: the intervals of a dynamic programme over age and remaining work (hazard_plan.h),
// for lives with a Weibull distribution of given shape and mean. The plan is made again when the
// cost of a checkpoint or a restart has changed by a tenth.
#include <cmath>
#include <stdexcept>

#include "policies/checkpoint/argument.h"
#include "policies/checkpoint/hazard_plan.h"
#include "policies/checkpoint/policy.h"
#include "policies/checkpoint/seconds.h"

namespace policies {
namespace {

constexpr double kCheapest = 1e-3;  // seconds: a finer plan would change nothing

class HazardPolicy {
 public:
  explicit HazardPolicy(const Weibull& life) : life_(life) {}

  Save operator()(const CheckpointState& state) {
    const double d = std::max(kCheapest, seconds_of(*state.checkpoint_cost));
    const double R = state.restart_cost ? std::max(0.0, seconds_of(*state.restart_cost)) : 0.0;
    if (!plan_ || differs(d, d_) || differs(R, R_)) {
      plan_ = HazardPlan::shared(life_, d, R);
      d_ = d;
      R_ = R;
    }
    // The decision was made when the last checkpoint ended.
    const double since = seconds_of(state.now - state.last_checkpoint_time);
    const double age = std::max(0.0, seconds_of(*state.since_launch) - since);
    return full_if(since >= plan_->interval(seconds_of(*state.remaining_work) + since, age));
  }

 private:
  static bool differs(double value, double planned) {
    return std::abs(value - planned) > 0.1 * planned;
  }

  Weibull life_;
  std::shared_ptr<const HazardPlan> plan_;
  double d_ = 0, R_ = 0;
};

Weibull read_weibull(std::string_view text) {
  const auto colon = text.find(':');
  const std::string shape(text.substr(0, colon));
  char* end = nullptr;
  const double value = std::strtod(shape.c_str(), &end);
  if (colon == std::string_view::npos || end != shape.c_str() + shape.size() ||
      !(value >= 0.2 && value <= 5)) {
    throw std::invalid_argument(
        "expected SHAPE:MEAN, a shape from 0.2 to 5 and a mean life as in 0.7:6h");
  }
  const double mean = seconds_of(read_duration(text.substr(colon + 1)));
  return {.shape = value, .scale = mean / Weibull{value, 1}.mean()};
}

}  // namespace

CheckpointPolicy make_hazard_policy(std::string_view argument) {
  return {HazardPolicy(read_weibull(argument)),
          {Input::checkpoint_cost, Input::since_launch, Input::remaining_work}};
}

}  // namespace policies
