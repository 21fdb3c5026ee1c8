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

// A window of one pool or of several pools, with its place among the windows of its market.
struct Window {
  std::string market;   // "us-west-2a_v100_1"
  std::int64_t number;  // of the market's windows, from 0
  Pools pools;
  WindowOrigin place{};
};
// A window of one pool at the job's prices.
Window window_of_one(std::string market, std::int64_t number, SpotWindow spot,
                     WindowOrigin place = {});

// How windows are cut from a trace.
struct Cut {
  Duration tick;
  std::int64_t instances = 1;  // size of a gang: the number of instances that the job needs at once
  // The length of each window; zero: one window over all of the trace. The windows begin at `count`
  // random times, the same for all pools of a trace. Instead of random times, `starts` states them,
  // from the trace's begin, or one window begins after each `every`, as long as it fits.
  Duration length{};
  std::vector<Duration> starts{};
  Duration every{};
  std::int64_t count = 1;
  std::uint64_t seed = 1;
  bool trace_prices = false;  // use the trace's prices if there are some; else the setting's
  // The on-demand price an hour of each pool. Zero, or a missing pool: the setting's price.
  std::map<market::Pool, market::Usd> on_demand{};
};
// Cuts a trace. A pool TYPE#N of a set of windows is window N of its market and stays as it is. A
// pool shorter than the length gives no window.
std::vector<Window> cut(const traces::AvailabilityTrace& trace, const Cut& cut);

// A pool of a trace, for windows over several pools side by side.
struct PoolTrace {
  std::string name;  // "us-east-1a"
  traces::CapacitySeries series;
  market::Usd on_demand{}, spot_price{};  // as in PoolWindow
  std::string instance_type{};            // as in PoolWindow
};
// Cuts windows over the same ticks of all pools, from the time that all traces cover, with the
// traces' prices. The result is empty if that time is shorter than the length, or empty.
std::vector<Window> cut_side_by_side(const std::string& market, const std::vector<PoolTrace>& pools,
                                     const MoveCosts& moves, const Cut& cut);

// Converts a price history to a trace. From the first point to the last, an instance is always
// available at the pool's price.
traces::AvailabilityTrace always_there(const market::PriceHistory& history);

// "us-west-2a_v100_1", or the type alone if the zone is unknown.
std::string market_of(const market::Pool& pool);

// Draws capacity that comes and goes. Up and down times alternate; both have Weibull distributions
// with these means, so the scale is mean ÷ Γ(1 + 1/shape). Shape 1 is exponential. A shape below 1
// has many early ends, and a shape above 1 has few.
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
