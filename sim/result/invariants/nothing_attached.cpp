#include <fmt/format.h>

#include "sim/result/invariants/list.h"

namespace sim::result {
namespace {

// The longest wait of AWS's waiters for EC2: 40 times 15 s.
constexpr Duration kNobodyWaitsLonger = std::chrono::minutes{10};

// Checked when no instance runs any more, because a running instance may use its volumes.
class NothingAttached : public Invariant {
 public:
  NothingAttached()
      : Invariant("nothing-attached", "no volume is attached, attaching or detaching at the end") {}

  void end(const History& history, const Result& result) override {
    if (result.at_end.running_instances > 0 || result.at_end.active_fleets > 0) return;
    for (const auto& [id, volume] : history.volumes) {
      const History::Attachment& attachment = volume.attachment;
      if (!attachment.state.empty() && attachment.state != "detached")
        look(history, id, attachment.state, attachment.since, attachment.line);
      else if (volume.state == "creating")
        look(history, id, volume.state, volume.since, volume.made_by);
    }
  }

 private:
  void look(const History& history, const std::string& volume, const std::string& state, Time since,
            const std::string& line) {
    if (state == "attached" || history.end - since >= kNobodyWaitsLonger)
      broken(history.end, fmt::format("{} is {} since {}", volume, state, iso_seconds(since)),
             {line});
  }
};

}  // namespace

std::unique_ptr<Invariant> nothing_attached(const InvariantRules&, const RunSoFar&) {
  return std::make_unique<NothingAttached>();
}

}  // namespace sim::result
