// The windows of a sweep, each of a pool or of several side by side: cut from traces, or drawn.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "sim/ticks/pools.h"
#include "sim/ticks/window_origin.h"
#include "sim/traces/availability.h"

namespace sim::ticks {

struct Window {
  std::string market;   // "us-west-2a_v100_1"
  std::int64_t number;  // of the market's windows, from 0
  Pools pools;
  WindowOrigin place{};
};
// A window of one pool at the job's prices.
Window window_of_one(std::string market, std::int64_t number, SpotWindow spot,
                     WindowOrigin place = {});

struct Cut {
  Duration tick;
  std::int64_t instances = 1;  // a gang's; the job needs as many at once
  // Windows of this length at `count` random starts, the same for all pools of a trace; zero: all
  // of it. In the place of random ones: `starts`, from the beginning of what is cut on, or one
  // `every` so much time, as many as fit.
  Duration length{};
  std::vector<Duration> starts{};
  Duration every{};
  std::int64_t count = 1;
  std::uint64_t seed = 1;
  bool trace_prices = false;  // where the trace has prices; else the setting's
  // An hour of each pool; zero, and of one that is not here: the setting's.
  std::map<market::Pool, market::Usd> on_demand{};
};
// A pool TYPE#N of a set of windows is window N of its market; others are cut. Pools shorter than
// the length give none.
std::vector<Window> cut(const traces::AvailabilityTrace& trace, const Cut& cut);

// A pool of a trace, to stand side by side with others.
struct PoolTrace {
  std::string name;  // "us-east-1a"
  traces::CapacitySeries series;
  market::Usd on_demand{}, spot_price{};  // as PoolWindow's
  std::string instance_type{};            // likewise
};
// Windows over the same ticks of all pools, of the time that all traces cover, with the traces'
// prices. None when that is shorter than the length, or nothing.
std::vector<Window> cut_side_by_side(const std::string& market, const std::vector<PoolTrace>& pools,
                                     const MoveCosts& moves, const Cut& cut);

// A price history as a trace: from its first point to its last, an instance can be had at its
// price.
traces::AvailabilityTrace always_there(const market::PriceHistory& history);

// "us-west-2a_v100_1", or the type alone where no zone is known.
std::string market_of(const market::Pool& pool);

// Spot that comes and goes: up and down times drawn in turn from Weibull distributions with these
// means, scale Γ(1 + 1/shape)⁻¹·mean; shape 1 is exponential, below 1 dies early, above 1 wears
// out.
struct WeibullRenewal {
  Duration up, down;  // means
  double up_shape = 1, down_shape = 1;
  Duration tick, length;
  std::int64_t count = 1;
  std::uint64_t seed = 1;
  std::string market = "drawn";
};
std::vector<Window> draw(const WeibullRenewal& renewal);

}  // namespace sim::ticks
