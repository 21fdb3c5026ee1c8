#include <fmt/format.h>

#include <map>

#include "sim/result/invariants/list.h"

namespace sim::result {
namespace {

// Applies to trainers that report a hash of the state after each step (`state`). A trainer that
// resumes must have the saved state, and a repeated step must lead to the same state. Only this
// invariant notices state that a resume drops, such as an optimizer's moments.
class SameState : public Invariant {
 public:
  SameState() : Invariant("same-step-same-state", "a step always results in the same state") {}

  void listen(events::Listeners& log) override {
    log.on(*this, &SameState::look<events::TrainerStart>);
    log.on(*this, &SameState::look<events::TrainerStep>);
  }

  bool applies() const override { return !left_.empty(); }

 private:
  struct Left {
    std::string state;
    std::string line;
  };

  template <class E>
  void look(const E& event) {
    if (event.state.empty()) return;
    const auto at = left_.find(event.step);
    if (at == left_.end()) {
      left_[event.step] = {std::string(event.state), to_line(event)};
    } else if (at->second.state != event.state) {
      broken(event.time,
             fmt::format("the state after step {} was {}, and is {} at {}", event.step,
                         at->second.state, event.state, iso_seconds(event.time)),
             {at->second.line, to_line(event)});
    }
  }

  std::map<std::int64_t, Left> left_;  // by step
};

}  // namespace

std::unique_ptr<Invariant> same_state(const InvariantRules&, const RunSoFar&) {
  return std::make_unique<SameState>();
}

}  // namespace sim::result
