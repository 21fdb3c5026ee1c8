// All invariants of one run: they hear its log from the first line on.
#pragma once

#include <memory>
#include <vector>

#include "sim/result/invariants/invariant.h"
#include "sim/result/invariants/rules.h"
#include "sim/result/invariants/run_so_far.h"

namespace sim::run {

class Invariants {
 public:
  // The history must be up to date with an event before the invariants get the event.
  Invariants(const InvariantRules& rules, const History& history);

  // They must outlive the log's listeners.
  void listen(events::Listeners& log);

  // Once, when the run is over. In the order of list.cpp; of those that apply to the run.
  std::vector<Verdict> verdicts(const History& history, const Result& result);

 private:
  std::unique_ptr<RunSoFar> so_far_;
  std::vector<std::unique_ptr<Invariant>> all_;
};

}  // namespace sim::run
