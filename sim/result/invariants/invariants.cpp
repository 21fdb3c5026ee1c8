#include "sim/result/invariants/invariants.h"

#include <algorithm>

#include "sim/result/invariants/list.h"

namespace sim::run {
namespace {

constexpr std::string_view kStep = "trainer.step";  // most lines of a log

// That of few kinds is that of another one.
std::size_t bucket_of(std::string_view kind) {
  if (kind.empty()) return 0;
  const auto at = [kind](std::size_t i) { return static_cast<unsigned char>(kind[i]); };
  return (kind.size() + 3 * at(0) + 7 * at(kind.size() - 1) + 11 * at(kind.size() / 2)) % 64;
}

}  // namespace

Invariants::Invariants(const InvariantRules& rules, const EvidenceFinder& checkpoints)
    : so_far_(std::make_unique<RunSoFar>(checkpoints)), all_(all_invariants(rules, *so_far_)) {
  const auto listen = [this](Listener& listener) {
    for (const std::string_view kind : listener.hears())
      ears_[bucket_of(kind)].push_back({kind, &listener});
  };
  listen(*so_far_);
  for (const auto& invariant : all_) listen(*invariant);
  hear_steps_ = wants(kStep);
}

void Invariants::hear(const Event& event, std::string_view text) { tell(Line(event, text)); }

void Invariants::hear(const PlainEvent& event, std::string_view text) {
  if (hear_steps_ || event.kind != kStep) tell(Line(event, text));
}

bool Invariants::wants(std::string_view kind) const {
  const auto& ears = ears_[bucket_of(kind)];
  return std::ranges::find(ears, kind, &Ear::kind) != ears.end();
}

void Invariants::tell(const Line& line) {
  const std::string_view kind = line.kind();
  for (const Ear& ear : ears_[bucket_of(kind)])
    if (ear.kind == kind) ear.listener->hear(line);
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
  EvidenceFinder checkpoints;
  Invariants all(rules, checkpoints);
  for (const Event& event : events) {
    checkpoints.hear(event);
    all.hear(event);
  }
  return all.verdicts(story, result);
}

}  // namespace sim::run
