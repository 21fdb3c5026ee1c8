// Availability traces: how many instances a pool had capacity for, from when to when, read from the
// formats that published data sets come in.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/kernel/time.h"
#include "sim/market/pool.h"
#include "sim/market/price_history.h"
#include "sim/traces/availability.h"

namespace sim::market {

struct CapacityStep {
  Time at;
  std::int64_t instances;  // from `at` until the next step
  bool operator==(const CapacityStep&) const = default;
};

// A step function on [steps.front().at, end). Steps are sorted, one at a time, each a change.
struct CapacitySeries {
  std::vector<CapacityStep> steps;
  Time end;
  // What an instance cost an hour, where the file says so; sorted, each a change.
  std::vector<PricePoint> prices;
  // Of a window: where in its market's trace it was cut, from that one's begin; none: not known.
  std::optional<Duration> cut_at{};
  bool operator==(const CapacitySeries&) const = default;
};

struct AvailabilityTrace {
  std::map<Pool, CapacitySeries> pools;
  bool operator==(const AvailabilityTrace&) const = default;
};

// Reads a trace in any of availability_formats(), plain or gzip, recognised by its content. Files
// that name no start begin in 1970. A pool is named by the file where its content does not:
// us-west-2a_v100_1.json is {v100_1, us-west-2a}, p3-trace.csv is {p3-trace, }. Throws TraceError.
AvailabilityTrace read_availability(const std::filesystem::path& file);

// The longest tick of whole seconds on which everything in the series stands, from its begin; a
// second when there is none.
Duration common_tick(const CapacitySeries& series);

// SkyPilot's JSON: {"metadata": {"gap_seconds": 600, "start_time": …}, "data": [1, 0, …], "prices":
// […]} with the capacity (and price, where there are some) at each tick; what changes between two
// ticks is moved to the later. Throws TraceError for a tick of no whole seconds and for more than
// ten million ticks.
std::string to_capacity_json(const CapacitySeries& series, Duration tick);

// The name of a file that read_availability() takes for the pool's, without its ending:
// "us-west-2a_v100_1".
std::string market_name(const Pool& pool);

// The capacity at each of the instants from, from + tick, …, as many as are before `to`; what is
// outside the series is 0.
std::vector<std::int64_t> sample(const CapacitySeries& series, Time from, Time to, Duration tick);

// Prices from one source for the pools that another says the availability of.

// Gives each pool of the trace the prices, from its begin to its end, of the pool of the same name,
// else of the only one in its zone. Prices that begin in 1970 stand in a file that names no start:
// they are taken to begin with the trace. Throws TraceError, without a file's name, for a pool that
// has no prices or none in its time.
void join_prices(AvailabilityTrace& trace, const PriceHistory& prices);

}  // namespace sim::market
