#include <fmt/format.h>

#include "sim/result/invariants/list.h"

namespace sim::result {
namespace {

// The newest acknowledged checkpoint exists at every moment. It may be on a live volume, in a
// snapshot that was started after it became durable, or on a volume made from such a snapshot. It
// may also be in an object store, or on the root disk of an instance that exists.
class CheckpointKept : public Invariant {
 public:
  explicit CheckpointKept(const RunSoFar& run)
      : Invariant("acknowledged-checkpoint-kept", "no acknowledged checkpoint is ever lost"),
        run_(run) {}

  void listen(events::Listeners& log) override {
    log.on<events::VolumeState>([this](const auto&) { look(); });
    log.on<events::SnapshotState>([this](const auto&) { look(); });
    log.on<events::InstanceState>([this](const auto&) { look(); });
    log.on<events::ObjectRemoved>([this](const auto&) { look(); });
  }

  bool applies() const override { return run_.needs_evidence(); }

 private:
  void look() {
    if (!run_.lost() || is_broken()) return;
    const RunSoFar::Lost& lost = *run_.lost();
    broken(lost.at,
           fmt::format("step {} was durable and was lost with {} at {}; {} remains", lost.step,
                       lost.holder, iso_seconds(lost.at).substr(11, 8),
                       lost.left ? fmt::format("step {}", *lost.left) : "nothing"),
           lost.lines, {{"state_kept"}});
  }

  const RunSoFar& run_;
};

}  // namespace

std::unique_ptr<Invariant> checkpoint_kept(const InvariantRules&, const RunSoFar& run) {
  return std::make_unique<CheckpointKept>(run);
}

}  // namespace sim::result
