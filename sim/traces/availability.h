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

namespace sim::traces {

struct CapacityStep {
  Time at;
  std::int64_t instances;  // from `at` until the next step
  bool operator==(const CapacityStep&) const = default;
};

// A step function on [steps.front().at, end). Steps are sorted, at most one per instant, and each
// is a change.
struct CapacitySeries {
  std::vector<CapacityStep> steps;
  Time end;
  // The price of an instance per hour, if the file has prices; sorted, each a change.
  std::vector<market::PricePoint> prices;
  // For a window: its offset from the begin of its market's trace. Empty: unknown.
  std::optional<Duration> cut_at{};
  bool operator==(const CapacitySeries&) const = default;
};

// The series of all pools in one or more files.
struct AvailabilityTrace {
  std::map<market::Pool, CapacitySeries> pools;
  bool operator==(const AvailabilityTrace&) const = default;
};

// Reads a trace in any of availability_formats(), plain or gzip, recognised by its content. Files
// without a start begin in 1970. If the content has no pool's name, the file's name counts:
// us-west-2a_v100_1.json is {v100_1, us-west-2a}, p3-trace.csv is {p3-trace, }. Throws TraceError.
AvailabilityTrace read_availability(const std::filesystem::path& file);

// The longest tick in whole seconds that divides the distance of each instant from the series'
// begin; one second if there is none.
Duration common_tick(const CapacitySeries& series);

// SkyPilot's JSON: {"metadata": {"gap_seconds": 600, "start_time": …}, "data": [1, 0, …], "prices":
// […]} with the capacity (and the price, if there are prices) at each tick. A change between two
// ticks moves to the later tick. Throws TraceError for a tick that is not in whole seconds, and for
// more than ten million ticks.
std::string to_capacity_json(const CapacitySeries& series, Duration tick);

// The file name, without extension, that read_availability() reads as this pool:
// "us-west-2a_v100_1".
std::string market_name(const market::Pool& pool);

// Samples the capacity at the instants from, from + tick, … before `to`. Outside the series it is
// 0.
std::vector<std::int64_t> sample(const CapacitySeries& series, Time from, Time to, Duration tick);

// Prices from one source for pools whose availability comes from another.

// Gives each pool of the trace its prices, from the trace's begin to its end. These are the prices
// of the pool with the same name, or else of the only pool in its zone. Prices that begin in 1970
// come from a file without a start, so they are shifted to the begin of the trace. Throws
// TraceError, without a file's name, for a pool that has no prices in its time.
void join_prices(AvailabilityTrace& trace, const market::PriceHistory& prices);

}  // namespace sim::traces
