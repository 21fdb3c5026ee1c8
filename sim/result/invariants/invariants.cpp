#include "sim/result/invariants/invariants.h"

#include "sim/result/invariants/list.h"

namespace sim::run {

Invariants::Invariants(const InvariantRules& rules) : all_(all_invariants(rules)) {
  for (const auto& invariant : all_)
    for (const std::string_view kind : invariant->hears())
      listeners_[kind].push_back(invariant.get());
}

void Invariants::tell(const Line& line) {
  const auto found = listeners_.find(line.kind());
  if (found == listeners_.end()) return;
  for (Invariant* const invariant : found->second) invariant->hear(line);
}

std::vector<Verdict> Invariants::verdicts(const Story& story, const Result& result) {
  std::vector<Verdict> verdicts;
  for (const auto& invariant : all_) {
    invariant->end(story, result);
    if (invariant->applies()) verdicts.push_back(invariant->verdict());
  }
  return verdicts;
}

std::vector<Verdict> invariants(std::span<const Event> events, const Story& story,
                                const Result& result, const InvariantRules& rules) {
  Invariants all(rules);
  for (const Event& event : events) all.hear(event);
  return all.verdicts(story, result);
}

}  // namespace sim::run
