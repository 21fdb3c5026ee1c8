#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "sim/result/invariants/list.h"

namespace sim::result {
namespace {

// A resource belongs to the job if it was made after the first launch of an instance to train.
// Before that, the operator prepares. The job's volume is not left over, nor the holder of its
// newest checkpoint if no volume has it. A trainer that keeps checkpoints in snapshots may also
// leave its newest complete snapshot and the pending ones after it. The check runs when no instance
// runs any more.
class NothingLeft : public Invariant {
 public:
  explicit NothingLeft(const RunSoFar& run)
      : Invariant("nothing-left", "except its volume, the job leaves nothing that is billed"),
        run_(run) {}

  void listen(events::Listeners& log) override {
    // A trainer's checkpoint may become durable before its first snapshot does, so the begin of a
    // checkpoint shows its tier, too.
    log.on<events::TrainerCheckpointBegin>([this](const events::TrainerCheckpointBegin& event) {
      const Json& tiers = event.tiers.get();
      keeps_snapshots_ |= std::ranges::find(tiers, "snapshot") != tiers.end();
    });
    log.on<events::TrainerCheckpointDurable>(
        [this](const auto& event) { keeps_snapshots_ |= event.tier == "snapshot"; });
  }

  void end(const History& history, const Result& result) override {
    if (result.at_end.running_instances > 0 || result.at_end.active_fleets > 0) return;
    std::vector<std::string> names, lines;
    // No figure of a scenario counts a volume without the job's tag.
    bool snapshots = true;
    const auto look = [&](const std::string& id, const History::Resource& made, bool there) {
      if (!there || !made.by_job || is_meant(id)) return;
      names.push_back(id);
      lines.push_back(made.made_by);
      snapshots &= history.snapshots.contains(id);
    };
    for (const auto& [id, snapshot] : history.snapshots) look(id, snapshot, snapshot.is_there());
    for (const auto& [id, volume] : history.volumes) look(id, volume, volume.is_live());
    if (names.empty()) return;
    std::vector<Verdict::Figure> about;
    if (snapshots) about.push_back({"snapshots"});
    broken(history.end, fmt::format("{}", fmt::join(names, ", ")), std::move(lines),
           std::move(about));
  }

  bool applies() const override { return !run_.job_tag().empty(); }

 private:
  bool is_meant(const std::string& id) const {
    const History& history = run_.history();
    if (run_.tagged().contains(id) || run_.is_a_faults(id)) return true;
    if (const auto& newest = run_.acknowledged()) {
      const auto has = history.checkpoints.holders_of(newest->step);
      const auto on_volume = [](const std::string& holder) { return holder.starts_with("vol-"); };
      if (std::ranges::find(has, id) != has.end() && std::ranges::none_of(has, on_volume))
        return true;
    }
    const auto snapshot = history.snapshots.find(id);
    if (snapshot == history.snapshots.end() || !keeps_snapshots_) return false;
    return std::ranges::none_of(history.snapshots, [&](const auto& other) {
      return other.second.by_job && other.second.state == "completed" &&
             other.second.made_at > snapshot->second.made_at;
    });
  }

  const RunSoFar& run_;
  bool keeps_snapshots_ = false;
};

}  // namespace

std::unique_ptr<Invariant> nothing_left(const InvariantRules&, const RunSoFar& run) {
  return std::make_unique<NothingLeft>(run);
}

}  // namespace sim::result
