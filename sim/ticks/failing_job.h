// A job that is interrupted at random, without a market: how long it takes with a given interval
// between checkpoints, drawn. Its mean is policies::expected_time (Daly 2006, equation (20)).
#pragma once

#include "sim/kernel/random.h"
#include "sim/kernel/time.h"

namespace sim::sweep {

struct FailingJob {
  Duration work;        // of computing
  Duration interval;    // computed before each checkpoint; above 0
  Duration checkpoint;  // it stands still for
  Duration restart;     // before it computes again
  Duration mean;        // time between interruptions, exponential
};

// Interruptions strike while computing, saving and restarting alike; what was not saved is done
// again. The end of the work is saved too. Seconds.
double draw_seconds(const FailingJob& job, Stream& stream);

}  // namespace sim::sweep
