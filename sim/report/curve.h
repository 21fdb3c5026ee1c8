// The training curve of a run: steps over time, and the loss if the trainer reports it.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "sim/events/listeners.h"
#include "sim/report/axis.h"
#include "sim/result/history.h"

namespace sim::report {

// Collects the losses from the log's events. Steps come from the history of the same log. Both the
// report of a finished run and the live report use it.
class Curve {
 public:
  // This must outlive the listeners.
  void listen(events::Listeners& log);
  // One piece for each session of a trainer. A piece is thinned to about 500 points, including the
  // last.
  Json all(const result::History& history, const Axis& axis) const;

 private:
  std::map<std::string, std::vector<std::pair<Time, double>>> losses_;  // by instance
};

}  // namespace sim::report
