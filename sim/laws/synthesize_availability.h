// The project's own availability traces, drawn from laws of stretches or from the joint chain of
// several pools.
#pragma once

#include <map>
#include <vector>

#include "sim/laws/lifetime_law.h"
#include "sim/traces/availability.h"

namespace sim::market {

// What a drawn series spans: ticks from `from`, the last of them before `to`; `instances` or none.
struct DrawnSpan {
  Time from, to;  // from < to
  Duration tick;  // above 0
  std::int64_t instances = 1;
  std::uint64_t seed = 0;
};

// Stretches with capacity and without, in turn and independent of one another, each rounded to
// whole ticks, at least one.
struct Renewal {
  Pool pool;
  const LifetimeLaw* up_law;
  LawParameters up;
  const LifetimeLaw* down_law;
  LawParameters down;
};
// Each pool draws from a stream of its own, so a pool added moves no other. It begins with capacity
// with the chance mean up ÷ (mean up + mean down).
AvailabilityTrace synthesize(const std::vector<Renewal>& pools, const DrawnSpan& span);

// The Markov chain of several pools' having capacity: how often a joint state followed another,
// tick by tick over the time in which all pools are known, the first after the last, so that the
// chain's equilibrium is the trace's own. Of one pool it is the Markov on/off model; several keep
// their correlation. Bit i of a state: the i-th pool has capacity.
struct JointChain {
  static constexpr std::size_t kMostPools = 64;
  std::vector<Pool> pools;
  std::map<std::uint64_t, std::map<std::uint64_t, std::int64_t>> followed;
};
// Throws TraceError for more than kMostPools pools and where they have no time in common.
JointChain joint_chain(const AvailabilityTrace& trace, std::int64_t instances, Duration tick);
// Begins in a state drawn from the trace's; draws in integers, so equal on every machine.
AvailabilityTrace synthesize(const JointChain& chain, const DrawnSpan& span);

}  // namespace sim::market
