#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "sim/result/invariants/list.h"

namespace sim::run {
namespace {

// What the job made is what came after the first instance that was launched to train: the operator
// prepares before. Not left over are the job's volume, what has its newest checkpoint when no
// volume has, and, of a trainer that keeps checkpoints in snapshots, the newest complete one and
// those that are on their way behind it. Looked at when nothing runs any more.
class NothingLeft : public Invariant {
 public:
  explicit NothingLeft(const RunSoFar& run)
      : Invariant("nothing-left",
                  "beside its volume, nothing that the job made is left and billed"),
        run_(run) {}

  void listen(events::Listeners& log) override {
    log.on(*this, &NothingLeft::instance_state);
    log.on<events::VolumeState>(
        [this](const events::VolumeState& event) { made(event, event.volume_id, false); });
    log.on<events::SnapshotState>(
        [this](const events::SnapshotState& event) { made(event, event.snapshot_id, true); });
    // The end of a checkpoint may come before that of its first snapshot: what it begins tells,
    // too.
    log.on<events::TrainerCheckpointBegin>([this](const events::TrainerCheckpointBegin& event) {
      const Json& tiers = event.tiers.get();
      keeps_snapshots_ |= std::ranges::find(tiers, "snapshot") != tiers.end();
    });
    log.on<events::TrainerCheckpointDurable>(
        [this](const auto& event) { keeps_snapshots_ |= event.tier == "snapshot"; });
  }

  void end(const Story& story, const Result& result) override {
    if (result.at_end.running_instances > 0 || result.at_end.active_fleets > 0) return;
    std::vector<std::string> names, lines;
    // A volume without the job's tag is in no figure that a scenario can state.
    bool snapshots = true;
    for (const auto& [id, made] : made_) {
      if (is_meant(id, made)) continue;
      names.push_back(id);
      lines.push_back(made.line);
      snapshots &= made.snapshot;
    }
    if (names.empty()) return;
    std::vector<Verdict::Figure> about;
    if (snapshots) about.push_back({"snapshots"});
    broken(story.end, fmt::format("{}", fmt::join(names, ", ")), std::move(lines),
           std::move(about));
  }

  bool applies() const override { return !run_.job_tag().empty(); }

 private:
  struct Made {
    Time at;
    bool snapshot = false, complete = false;
    std::string line;
  };

  void instance_state(const events::InstanceState& event) { begun_ |= launched_to_train(event); }

  template <class E>
  void made(const E& event, std::string_view resource, bool snapshot) {
    const std::string id(resource);
    if (event.from.empty() && begun_) made_[id] = {event.time, snapshot, false, to_line(event)};
    if (event.to == "deleting" || event.to == "deleted" || event.to == "error") made_.erase(id);
    if (const auto at = made_.find(id); at != made_.end() && event.to == "completed")
      at->second.complete = true;
  }

  bool is_meant(const std::string& id, const Made& made) const {
    if (run_.tagged().contains(id) || run_.is_a_faults(id)) return true;
    if (const auto& newest = run_.acknowledged()) {
      const auto has = run_.checkpoints().holders_of(newest->step);
      const auto on_volume = [](const std::string& holder) { return holder.starts_with("vol-"); };
      if (std::ranges::find(has, id) != has.end() && std::ranges::none_of(has, on_volume))
        return true;
    }
    if (!made.snapshot || !keeps_snapshots_) return false;
    const auto newer = [&](const auto& other) {
      return other.second.snapshot && other.second.complete && other.second.at > made.at;
    };
    return std::ranges::none_of(made_, newer);
  }

  const RunSoFar& run_;
  bool begun_ = false, keeps_snapshots_ = false;
  std::map<std::string, Made> made_;  // since then, and there
};

}  // namespace

std::unique_ptr<Invariant> nothing_left(const InvariantRules&, const RunSoFar& run) {
  return std::make_unique<NothingLeft>(run);
}

}  // namespace sim::run
