#include "sim/result/invariants/invariants.h"

#include "sim/result/invariants/list.h"

namespace sim::result {

Invariants::Invariants(const InvariantRules& rules, const History& history)
    : so_far_(std::make_unique<RunSoFar>(history)), all_(all_invariants(rules, *so_far_)) {}

void Invariants::listen(events::Listeners& log) {
  so_far_->listen(log);
  for (const auto& invariant : all_) invariant->listen(log);
}

std::vector<Verdict> Invariants::verdicts(const History& history, const Result& result) {
  std::vector<Verdict> verdicts;
  for (const auto& invariant : all_) {
    invariant->end(history, result);
    if (invariant->applies()) verdicts.push_back(invariant->verdict());
  }
  return verdicts;
}

}  // namespace sim::result
