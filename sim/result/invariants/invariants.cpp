#include "sim/result/invariants/invariants.h"

#include "sim/result/invariants/list.h"

namespace sim::run {

Invariants::Invariants(const InvariantRules& rules, const EvidenceFinder& checkpoints)
    : so_far_(std::make_unique<RunSoFar>(checkpoints)), all_(all_invariants(rules, *so_far_)) {}

void Invariants::listen(events::Listeners& log) {
  so_far_->listen(log);
  for (const auto& invariant : all_) invariant->listen(log);
}

std::vector<Verdict> Invariants::verdicts(const Story& story, const Result& result) {
  std::vector<Verdict> verdicts;
  for (const auto& invariant : all_) {
    invariant->end(story, result);
    if (invariant->applies()) verdicts.push_back(invariant->verdict());
  }
  return verdicts;
}

}  // namespace sim::run
