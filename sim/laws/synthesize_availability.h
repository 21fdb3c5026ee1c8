// The project's own availability traces, drawn from laws of stretches or from the joint chain of
// several pools.
#pragma once

#include <map>
#include <vector>

#include "sim/laws/lifetime_law.h"
#include "sim/traces/availability.h"

namespace sim::laws {

// The span of a drawn series: ticks from `from`, the last one before `to`; the capacity is
// `instances` or 0.
struct DrawnSpan {
  Time from, to;  // from < to
  Duration tick;  // above 0
  std::int64_t instances = 1;
  std::uint64_t seed = 0;
};

// Alternating stretches with and without capacity, independent of each other. Each is rounded to
// whole ticks, at least one.
struct PoolRenewal {
  market::Pool pool;
  const LifetimeLaw* up_law;
  LawParameters up;
  const LifetimeLaw* down_law;
  LawParameters down;
};
// Each pool draws from its own stream, so an added pool changes no other. A pool begins with
// capacity with probability mean up ÷ (mean up + mean down).
traces::AvailabilityTrace synthesize(const std::vector<PoolRenewal>& pools, const DrawnSpan& span);

// A Markov chain whose state says which of several pools have capacity (bit i: the i-th pool). It
// counts how often one state followed another, tick by tick, over the time in which all pools are
// known. The first state follows the last one, so the chain's equilibrium equals the trace's
// shares. For one pool this is the Markov on/off model; several pools keep their correlation.
struct JointChain {
  static constexpr std::size_t kMostPools = 64;
  std::vector<market::Pool> pools;
  std::map<std::uint64_t, std::map<std::uint64_t, std::int64_t>> followed;
};
// Throws TraceError for more than kMostPools pools, or if the pools have no time in common.
JointChain joint_chain(const traces::AvailabilityTrace& trace, std::int64_t instances,
                       Duration tick);
// Begins in a state drawn from the trace's; draws in integers, so equal on every machine.
traces::AvailabilityTrace synthesize(const JointChain& chain, const DrawnSpan& span);

}  // namespace sim::laws
