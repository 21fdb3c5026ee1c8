// What `spotsim trace stats` and `synth` say of traces, as tables and as JSON.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/events/event_log.h"
#include "sim/laws/availability_statistics.h"
#include "sim/laws/lifetime_law.h"
#include "sim/laws/price_statistics.h"

namespace sim::cli {

// Laws are fitted to samples of at least so many whole stretches.
inline constexpr std::size_t kFewestStretches = 5;

// Each law's fit to the times with capacity (up) and without (down), a row each. The bootstrap's p
// takes long: none where there are more than twelve pools.
void print_fits(const market::AvailabilityTrace& trace, std::int64_t instances);
// An object a pool, in the trace's order; without "up" or "down" where there are too few.
std::vector<Json> fits_json(const market::AvailabilityTrace& trace, std::int64_t instances);

Json statistics_json(const market::CapacitySeries& series, std::int64_t instances);
Json statistics_json(const std::vector<market::PricePoint>& points);

// A mean of the statistics; empty where nothing was observed, for which they have 0.
std::optional<double> observed(double mean);
std::optional<double> changes_a_day(const market::PriceStatistics& statistics);
// To the right, so many characters wide; "-" where there is none.
std::string in_column(std::optional<double> value, int width, int digits);

struct PairCorrelation {
  std::string a, b;             // pools
  std::optional<double> value;  // empty where one of them never changes
};
// Of each two of the pools; none where there are more than twelve pools. Availability is compared
// minute by minute.
std::vector<PairCorrelation> correlations(const market::AvailabilityTrace& trace,
                                          std::int64_t instances);
std::vector<PairCorrelation> correlations(const market::PriceHistory& history, std::int64_t);
void print_correlations(const std::string& what, const std::vector<PairCorrelation>& pairs);
Json correlations_json(const std::vector<PairCorrelation>& pairs);

}  // namespace sim::cli
