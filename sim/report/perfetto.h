// A report in Chrome's trace-event format, which https://ui.perfetto.dev and chrome://tracing open.
#pragma once

#include "sim/events/event.h"

namespace sim::report {

// Of what run_report() returns. Each lane is a thread; lanes of one zone are a process. Prices,
// capacity, steps and loss are counters. Times are microseconds since the start of the run.
Json trace_events(const Json& report);

}  // namespace sim::report
