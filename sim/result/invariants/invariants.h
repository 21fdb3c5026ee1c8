// All invariants of one run, with shared facts (RunSoFar). A run makes one Invariants, calls
// listen() before its first event and verdicts() after its last. Each Invariant keeps its own
// breach until then.
#pragma once

#include <memory>
#include <vector>

#include "sim/result/invariants/invariant.h"
#include "sim/result/invariants/rules.h"
#include "sim/result/invariants/run_so_far.h"

namespace sim::result {

class Invariants {
 public:
  // The history must be up to date with an event before the invariants get the event.
  Invariants(const InvariantRules& rules, const History& history);

  // The object must outlive the log's listeners.
  void listen(events::Listeners& log);

  // Call it once, after the run's last event. The result has a verdict for each invariant that
  // applies to the run, in the order of list.cpp.
  std::vector<Verdict> verdicts(const History& history, const Result& result);

 private:
  std::unique_ptr<RunSoFar> so_far_;
  std::vector<std::unique_ptr<Invariant>> all_;
};

}  // namespace sim::result
