// How a caller adds its own listeners to a run or to a served cloud.
#pragma once

#include <functional>

#include "sim/events/listeners.h"
#include "sim/market/usd.h"
#include "sim/result/history.h"

namespace sim::result {

// `history` is up to date with an event before the added listeners get the event. `cost` computes
// the bill so far. All three live as long as the run.
using Listen = std::function<void(events::Listeners& log, const History& history,
                                  const std::function<market::Usd()>& cost)>;

}  // namespace sim::result
