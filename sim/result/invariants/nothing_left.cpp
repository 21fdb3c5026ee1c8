#include <fmt/format.h>

#include <algorithm>
#include <map>

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

  std::vector<std::string_view> hears() const override {
    return {"instance.state", "volume.state", "snapshot.state", "trainer.checkpoint-begin",
            "trainer.checkpoint-durable"};
  }

  void hear(const Line& line) override {
    const std::string_view kind = line.kind();
    if (kind.starts_with("trainer.")) return hear_trainer(line);
    const bool is_new = line.text("from").empty();
    if (kind == "instance.state") {
      const bool attempt = line.text("lifecycle") == "spot" || !line.text("fleet_id").empty();
      if (is_new && attempt) begun_ = true;
      return;
    }
    hear_made(line, is_new);
  }

  void end(const Story& story, const Result& result) override {
    if (result.at_end.running_instances > 0 || result.at_end.active_fleets > 0) return;
    std::vector<std::string> names, lines;
    // A volume without the job's tag is in no figure that a scenario can state.
    bool snapshots = true;
    for (const auto& [id, made] : made_) {
      if (is_meant(id, made)) continue;
      names.push_back(id);
      lines.push_back(made.line.written());
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
    Quote line;
  };

  // Its own end may come before that of its first snapshot: what it begins tells, too.
  void hear_trainer(const Line& line) {
    if (keeps_snapshots_) return;
    const Json& tiers = line.member("tiers");
    keeps_snapshots_ =
        line.text("tier") == "snapshot" || std::ranges::find(tiers, "snapshot") != tiers.end();
  }

  void hear_made(const Line& line, bool is_new) {
    const bool snapshot = line.kind() == "snapshot.state";
    const std::string id(line.text(snapshot ? "snapshot_id" : "volume_id"));
    const std::string_view to = line.text("to");
    if (is_new && begun_) made_[id] = {line.at(), snapshot, false, Quote(line)};
    if (to == "deleting" || to == "deleted" || to == "error") made_.erase(id);
    if (const auto at = made_.find(id); at != made_.end() && to == "completed")
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
