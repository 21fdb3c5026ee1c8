// The reports of `spotsim trace stats` and `synth`, as tables and as JSON.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/events/event_log.h"
#include "sim/laws/availability_statistics.h"
#include "sim/laws/lifetime_law.h"
#include "sim/laws/price_statistics.h"

namespace sim::cli {

// The minimum number of complete stretches in a sample to which laws are fitted.
inline constexpr std::size_t kFewestStretches = 5;

// Prints the fit of each law to the times with capacity (up) and without capacity (down), one row
// for each law. The bootstrap's p takes long, so it is omitted for more than twelve pools.
void print_fits(const traces::AvailabilityTrace& trace, std::int64_t instances);
// One object for each pool, in the trace's order, without "up" or "down" if there are too few
// stretches.
std::vector<Json> fits_json(const traces::AvailabilityTrace& trace, std::int64_t instances);

Json statistics_json(const traces::CapacitySeries& series, std::int64_t instances);
Json statistics_json(const std::vector<market::PricePoint>& points);

// A mean of the statistics. Empty if nothing was observed; the statistics then have 0.
std::optional<double> observed(double mean);
std::optional<double> changes_a_day(const laws::PriceStatistics& statistics);
// The value right-aligned in this width; "-" if empty.
std::string in_column(std::optional<double> value, int width, int digits);

struct PairCorrelation {
  std::string a, b;             // pools
  std::optional<double> value;  // empty if one of them never changes
};
// The correlations of all pairs of pools; none with more than twelve pools. Availability is
// compared minute by minute.
std::vector<PairCorrelation> correlations(const traces::AvailabilityTrace& trace,
                                          std::int64_t instances);
std::vector<PairCorrelation> correlations(const market::PriceHistory& history, std::int64_t);
void print_correlations(const std::string& what, const std::vector<PairCorrelation>& pairs);
Json correlations_json(const std::vector<PairCorrelation>& pairs);

}  // namespace sim::cli
