// All invariants of one run: they hear its log from the first line on.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "sim/result/invariants/invariant.h"
#include "sim/result/invariants/rules.h"
#include "sim/result/invariants/run_so_far.h"

namespace sim::run {

class Invariants {
 public:
  // `checkpoints` hears each line of the log before.
  Invariants(const InvariantRules& rules, const EvidenceFinder& checkpoints);

  // `text`: the line, where the log makes its text; else empty.
  void hear(const Event& event, std::string_view text = {});
  void hear(const PlainEvent& event, std::string_view text = {});
  bool wants(std::string_view kind) const;

  // Once, when the run is over. In the order of list.cpp; of those that apply to the run.
  std::vector<Verdict> verdicts(const Story& story, const Result& result);

 private:
  void tell(const Line& line);

  struct Ear {
    std::string_view kind;
    Listener* listener;
  };

  std::unique_ptr<RunSoFar> so_far_;
  std::vector<std::unique_ptr<Invariant>> all_;
  // By kind, as bucket_of() has it; of one kind the run so far is first.
  std::array<std::vector<Ear>, 64> ears_;
  bool hear_steps_ = false;
};

// Those of a log that is there already.
std::vector<Verdict> invariants(std::span<const Event> events, const Story& story,
                                const Result& result, const InvariantRules& rules = {});

}  // namespace sim::run
