// Prices from one source for the pools that another says the availability of.
#pragma once

#include "sim/market/price_history.h"
#include "sim/traces/availability.h"

namespace sim::market {

// Gives each pool of the trace the prices, from its begin to its end, of the pool of the same name,
// else of the only one in its zone. Prices that begin in 1970 stand in a file that names no start:
// they are taken to begin with the trace. Throws TraceError, without a file's name, for a pool that
// has no prices or none in its time.
void join_prices(AvailabilityTrace& trace, const PriceHistory& prices);

}  // namespace sim::market
