#include <fmt/format.h>

#include <map>

#include "sim/result/invariants/list.h"

namespace sim::run {
namespace {

// Of trainers that say what state a step leaves (`state`, a hash of all that the next steps depend
// on): who goes on from a checkpoint has what was saved, and who does a step again comes to the
// same. What is lost at a resume, as an optimizer's moments, shows nowhere else.
class SameState : public Invariant {
 public:
  SameState()
      : Invariant("same-step-same-state", "a step leaves the same state whenever it is done") {}

  std::vector<std::string_view> hears() const override { return {"trainer.start", "trainer.step"}; }

  void hear(const Line& line) override {
    const std::string_view state = line.text("state");
    if (state.empty()) return;
    const std::int64_t step = line.whole("step");
    const auto [at, is_new] = left_.try_emplace(step, Left{std::string(state), Quote(line)});
    if (is_new || at->second.state == state) return;
    broken(line.at(),
           fmt::format("the state after step {} was {}, and is {} at {}", step, at->second.state,
                       state, iso_seconds(line.at())),
           {at->second.line.written(), line.written()});
  }

  bool applies() const override { return !left_.empty(); }

 private:
  struct Left {
    std::string state;
    Quote line;
  };
  std::map<std::int64_t, Left> left_;  // by step
};

}  // namespace

std::unique_ptr<Invariant> same_state(const InvariantRules&, const RunSoFar&) {
  return std::make_unique<SameState>();
}

}  // namespace sim::run
