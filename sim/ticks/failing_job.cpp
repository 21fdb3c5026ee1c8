#include "sim/ticks/failing_job.h"

#include <algorithm>
#include <cmath>

#include "sim/kernel/check.h"

namespace sim::ticks {

double draw_seconds(const FailingJob& job, Stream& stream) {
  SIM_CHECK(job.interval > Duration::zero() && job.mean > Duration::zero());
  const double mean = seconds(job.mean), restart = seconds(job.restart);
  const auto next = [&] { return -mean * std::log1p(-stream.uniform()); };
  double time = 0, left = next();  // until the next interruption
  for (Duration done{}; done < job.work;) {
    const Duration piece = std::min(job.interval, job.work - done);
    const double needed = seconds(piece + job.checkpoint);
    double needed_now = needed;
    while (left < needed_now) {
      time += left;
      left = next();
      needed_now = restart + needed;  // an interrupted restart begins again too
    }
    time += needed_now;
    left -= needed_now;
    done += piece;
  }
  return time;
}

}  // namespace sim::ticks
