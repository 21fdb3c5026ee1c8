// Adaptive checkpointing of Yi, Kondo and Andrzejak (IEEE CLOUD 2010): every ten minutes, take a
// checkpoint exactly when the expected recovery time of skipping it is larger. With the work since
// the last checkpoint s, the next decision I away and a life with distribution F,
//     skip: ∫₀ᴵ (s + u + R) dF(u),     take: d + ∫₀ᴵ (u + R) dF(u),
// so it is taken when s·F(I) > d. F is exponential with mean M.
#include <cmath>

#include "policies/checkpoint/interruption_time.h"
#include "policies/checkpoint/policy.h"
#include "policies/checkpoint/seconds.h"

namespace policies {

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
