// The windows of a sweep: cut from traces, or drawn.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/market/availability.h"
#include "sim/sweep/tick_run.h"

namespace sim::sweep {

struct Window {
  std::string market;   // "us-west-2a_v100_1"
  std::int64_t number;  // of the market's windows, from 0
  SpotWindow spot;
};

struct Cut {
  Duration tick;
  std::int64_t instances = 1;  // there is spot when the pool has capacity for as many
  // Windows of this length at `count` random starts, the same for all pools of a trace; zero: each
  // pool whole.
  Duration length{};
  std::int64_t count = 1;
  std::uint64_t seed = 1;
  bool trace_prices = false;  // where the trace has prices; else the setting's
};
// A pool TYPE#N of a set of windows is window N of its market; others are cut. Pools shorter than
// the length give none.
std::vector<Window> cut(const market::AvailabilityTrace& trace, const Cut& cut);

// Spot that comes and goes: up and down times drawn in turn from Weibull distributions with these
// means, scale Γ(1 + 1/shape)⁻¹·mean; shape 1 is exponential, below 1 dies early, above 1 wears
// out.
struct Renewal {
  Duration up, down;  // means
  double up_shape = 1, down_shape = 1;
  Duration tick, length;
  std::int64_t count = 1;
  std::uint64_t seed = 1;
  std::string market = "drawn";
};
std::vector<Window> draw(const Renewal& renewal);

}  // namespace sim::sweep
