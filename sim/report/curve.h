// The training curve: steps, and the loss where the trainer reports it, over the time of a run.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "sim/events/listeners.h"
#include "sim/report/axis.h"
#include "sim/result/history.h"

namespace sim::report {

class Curve {
 public:
  // This must outlive the listeners.
  void listen(events::Listeners& log);
  // One piece for each session of a trainer. A piece has some 500 points, the last among them.
  Json all(const result::History& history, const Axis& axis) const;

 private:
  std::map<std::string, std::vector<std::pair<Time, double>>> losses_;  // by instance
};

}  // namespace sim::report
