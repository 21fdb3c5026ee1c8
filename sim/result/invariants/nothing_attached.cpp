#include <fmt/format.h>

#include <map>

#include "sim/result/invariants/list.h"

namespace sim::run {
namespace {

// AWS's waiters wait no longer for anything of EC2's: 40 times 15 s.
constexpr Duration kNobodyWaitsLonger = std::chrono::minutes{10};

// Looked at when nothing runs any more: what an instance has is its own.
class NothingAttached : public Invariant {
 public:
  NothingAttached()
      : Invariant("nothing-attached", "no volume is attached, or stuck on its way, at the end") {}

  void listen(events::Listeners& log) override {
    log.on(*this, &NothingAttached::attachment_state);
    log.on(*this, &NothingAttached::volume_state);
  }

  void end(const Story& story, const Result& result) override {
    if (result.at_end.running_instances > 0 || result.at_end.active_fleets > 0) return;
    for (const auto& [volume, state] : unsettled_)
      if (state.name == "attached" || story.end - state.since >= kNobodyWaitsLonger)
        broken(story.end,
               fmt::format("{} is {} since {}", volume, state.name, iso_seconds(state.since)),
               {state.line});
  }

 private:
  struct State {
    Time since;
    std::string name;
    std::string line;
  };

  void attachment_state(const events::AttachmentState& event) {
    const std::string volume(event.volume_id);
    if (event.to == "detached")
      unsettled_.erase(volume);
    else
      unsettled_[volume] = {event.time, std::string(event.to), to_line(event)};
  }

  void volume_state(const events::VolumeState& event) {
    const std::string volume(event.volume_id);
    if (event.to == "creating")
      unsettled_[volume] = {event.time, std::string(event.to), to_line(event)};
    else if (unsettled_of(volume) == "creating")
      unsettled_.erase(volume);
  }
  std::string unsettled_of(const std::string& volume) const {
    const auto at = unsettled_.find(volume);
    return at == unsettled_.end() ? "" : at->second.name;
  }
  std::map<std::string, State> unsettled_;  // by volume
};

}  // namespace

std::unique_ptr<Invariant> nothing_attached(const InvariantRules&, const RunSoFar&) {
  return std::make_unique<NothingAttached>();
}

}  // namespace sim::run
