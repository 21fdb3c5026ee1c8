// A report in Chrome's trace-event format, for https://ui.perfetto.dev and chrome://tracing.
#pragma once

#include "sim/events/event.h"

namespace sim::report {

// Converts the result of run_report(). Each lane becomes a thread, and the lanes of one zone become
// a process. Prices, capacity, steps and loss become counters. Times are microseconds since the
// start of the run.
Json trace_events(const Json& report);

}  // namespace sim::report
