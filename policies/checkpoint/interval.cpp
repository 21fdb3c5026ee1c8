#include "policies/checkpoint/interval.h"

#include <boost/math/special_functions/lambert_w.hpp>
#include <cmath>

#include "policies/checkpoint/interruption_time.h"
#include "policies/checkpoint/seconds.h"

namespace policies {

double young_interval(double d, double M) { return std::sqrt(2 * d * M); }

double daly_first_order_interval(double d, double M) {
  return std::max(0.0, std::sqrt(2 * d * M) - d);
}

double daly_interval(double d, double M) {
  if (d >= 2 * M) return M;
  const double ratio = d / (2 * M);
  return std::sqrt(2 * d * M) * (1 + std::sqrt(ratio) / 3 + ratio / 9) - d;
}

double exact_interval(double d, double M) {
  return M * (1 + boost::math::lambert_w0(-std::exp(-1 - d / M)));
}

double expected_time(double work, double interval, double d, double M, double R) {
  return M * std::exp(R / M) * std::expm1((interval + d) / M) * work / interval;
}

CheckpointPolicy interval_policy(std::string_view argument, double (*formula)(double d, double M)) {
  const InterruptionTime mean_time = read_interruption_time(argument);
  auto needs = mean_time.needs;
  needs.push_back(Input::checkpoint_cost);
  // Of the interval.
  const auto left = [mean_time, formula](const CheckpointState& state) {
    const double M = mean_time.estimate(state);
    const Duration interval = duration_of(formula(seconds_of(*state.checkpoint_cost), M));
    return interval - (state.now - state.last_checkpoint_time);
  };
  CheckpointPolicy policy{
      [left](const CheckpointState& state) { return full_if(left(state) <= Duration::zero()); },
      std::move(needs)};
  // An estimate changes with the instance's age.
  if (mean_time.needs.empty()) policy.quiet = left;
  return policy;
}

CheckpointPolicy make_young_policy(std::string_view argument) {
  return interval_policy(argument, young_interval);
}
CheckpointPolicy make_daly_first_order_policy(std::string_view argument) {
  return interval_policy(argument, daly_first_order_interval);
}
CheckpointPolicy make_daly_policy(std::string_view argument) {
  return interval_policy(argument, daly_interval);
}
CheckpointPolicy make_exact_policy(std::string_view argument) {
  return interval_policy(argument, exact_interval);
}

// Adaptive checkpointing of Yi, Kondo and Andrzejak (IEEE CLOUD 2010). Every ten minutes it
// compares the expected recovery times with and without a checkpoint. s is the work since the last
// checkpoint, I is the time until the next decision, and F is the distribution of lives:
//     skip: ∫₀ᴵ (s + u + R) dF(u),     take: d + ∫₀ᴵ (u + R) dF(u)
// So a checkpoint is taken when s·F(I) > d. F is exponential with mean M.
CheckpointPolicy make_adaptive_policy(std::string_view argument) {
  static constexpr Duration kDecision = std::chrono::minutes(10);
  const InterruptionTime mean_time = read_interruption_time(argument);
  auto needs = mean_time.needs;
  needs.push_back(Input::checkpoint_cost);
  return {[mean_time, decided = Duration::min()](const CheckpointState& state) mutable {
            decided = std::max(decided, state.last_checkpoint_time);
            if (state.now - decided < kDecision) return Save::no;
            decided = state.now;
            const double at_risk = seconds_of(state.now - state.last_checkpoint_time);
            const double chance = -std::expm1(-seconds_of(kDecision) / mean_time.estimate(state));
            return full_if(at_risk * chance > seconds_of(*state.checkpoint_cost));
          },
          std::move(needs)};
}

}  // namespace policies
