// Uniform Progress (Wu et al., NSDI'24, section 4.3): progress keeps to the line from 0 at the
// start to C at the deadline.
#pragma once

#include "policies/acquisition/safety_net.h"

namespace policies {

// done < at·C/D, exactly.
inline bool is_behind(std::chrono::nanoseconds done, std::chrono::nanoseconds at,
                      const AcquisitionJob& job) {
  return static_cast<__int128>(done.count()) * job.deadline.count() <
         static_cast<__int128>(at.count()) * job.work.count();
}

// Spot whenever it is there; on-demand when behind the line; from on-demand to spot only when ahead
// of the line of two changeovers later.
inline Rental uniform_progress(const AcquisitionState& state, const AcquisitionJob& job) {
  const std::chrono::nanoseconds now = state.tick * job.tick;
  Rental wish = state.spot ? Rental::kSpot : Rental::kIdle;
  if (!state.spot && is_behind(state.done, now, job)) wish = Rental::kOnDemand;
  if (state.now == Rental::kOnDemand) {
    const std::chrono::nanoseconds back = now + 2 * job.changeover;
    const bool far_ahead = static_cast<__int128>(state.done.count()) * job.deadline.count() >
                           static_cast<__int128>(back.count()) * job.work.count();
    if (!state.spot || !far_ahead) wish = Rental::kOnDemand;
  }
  return with_safety_net(wish, whole_job(state, job), state, job);
}

}  // namespace policies
