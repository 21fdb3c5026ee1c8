// A randomly interrupted job without a market: draws how long it takes with a given checkpoint
// interval. The mean is policies::expected_time (Daly 2006, equation (20)).
#pragma once

#include "sim/kernel/random.h"
#include "sim/kernel/time.h"

namespace sim::ticks {

struct FailingJob {
  Duration work;        // of computing
  Duration interval;    // computed before each checkpoint; above 0
  Duration checkpoint;  // training stops for each checkpoint
  Duration restart;     // until the job computes again
  Duration mean;        // time between interruptions, exponential
};

// Draws the duration in seconds. Interruptions strike during computing, saving and restarting.
// Unsaved work is repeated, and the end of the work is saved, too.
double draw_seconds(const FailingJob& job, Stream& stream);

}  // namespace sim::ticks
