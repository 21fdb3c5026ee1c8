// The rules that all deadline-aware policies share (Wu et al., NSDI'24, section 3). A job that
// could be late uses on-demand until its end. A working spot instance is kept until it is
// interrupted.
#pragma once

#include "policies/acquisition/policy.h"

namespace policies {

// Work to be done by an instant: the whole job's, or that of a slice.
struct Goal {
  std::chrono::nanoseconds work_left;
  std::int64_t ticks_left;  // full ticks until the instant
};

// True when work and `changeovers` changeovers fill all the ticks left:
// ⌈(work + changeovers·d)/g⌉ ≥ ticks left.
inline bool is_urgent(const Goal& goal, int changeovers, const AcquisitionJob& job) {
  return goal.work_left + changeovers * job.changeover > (goal.ticks_left - 1) * job.tick;
}

// The whole job's goal.
inline Goal whole_job(const AcquisitionState& state, const AcquisitionJob& job) {
  return {job.work - state.done, job.deadline / job.tick - state.tick};
}

// Returns `wish` while there is time for it. is_filled(n) tells whether the work and n changeovers
// fill the remaining time. Without a spot instance the result is on-demand as soon as two do (one
// to start now, one for an interruption). As soon as one does, a working spot instance is kept, and
// everything else is on-demand.
template <typename IsFilled>
Rental with_safety_net(Rental wish, const AcquisitionState& state, IsFilled is_filled) {
  if (is_filled(1)) {
    const bool working = state.now == Rental::kSpot && state.changeover_left.count() == 0;
    return working ? Rental::kSpot : Rental::kOnDemand;
  }
  if (state.now != Rental::kSpot && is_filled(2)) return Rental::kOnDemand;
  return wish;
}

// The same for the whole job.
inline Rental with_safety_net(Rental wish, const AcquisitionState& state,
                              const AcquisitionJob& job) {
  return with_safety_net(wish, state, [&](int changeovers) {
    return is_urgent(whole_job(state, job), changeovers, job);
  });
}

}  // namespace policies
