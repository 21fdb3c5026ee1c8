#include <fmt/format.h>

#include <optional>
#include <set>

#include "sim/result/invariants/list.h"

namespace sim::run {
namespace {

constexpr std::string_view kDoneTag = "spotrun:done";

// Whom it hears: spotrun's tag of the job's volume, and its phase "done" where it has trained (an
// instance that prepares ends with it, too).
class DoneIsDone : public Invariant {
 public:
  explicit DoneIsDone(const RunSoFar& run)
      : Invariant("done-is-done",
                  "a job that is reported as done has finished, and its state is kept"),
        run_(run) {}

  std::vector<std::string_view> hears() const override {
    return {"orchestrator.phase", "tags.created", "volume.state"};
  }

  void hear(const Line& line) override {
    if (line.kind() == "volume.state") {
      if (line.text("to") == "error") failed_ = line.at();
      return;
    }
    if (line.kind() == "tags.created") {
      if (line.member("tags").contains(kDoneTag)) claimed(line, line.text("resource_id"));
      return;
    }
    if (line.text("name") == "train") trained_.emplace(line.text("instance_id"));
    if (line.text("name") == "done" && trained_.contains(line.text("instance_id")))
      claimed(line, line.text("instance_id"));
  }

  bool applies() const override { return run_.reports_progress(); }

 private:
  void claimed(const Line& line, std::string_view where) {
    const std::string at = iso_seconds(line.at()).substr(11, 8);
    if (!run_.finished())
      return broken(line.at(),
                    fmt::format("done on {} at {}, but no trainer has finished", where, at),
                    {line.written()}, {{"outcome"}});
    const bool unseen = failed_ && line.at() - *failed_ < kLook;
    if (kept_ || unseen || !run_.needs_evidence()) return;
    const Evidence evidence = run_.checkpoints().found();
    kept_ = evidence.kept.value_or(true);
    if (!kept_)
      broken(line.at(), fmt::format("done on {} at {}, but {}", where, at, evidence.why),
             {line.written()}, {{"state_kept"}});
  }

  // Whoever reports has looked at the volume before: it may have failed since.
  static constexpr Duration kLook = std::chrono::seconds{10};
  const RunSoFar& run_;
  std::optional<Time> failed_;  // when a volume failed last
  bool kept_ = false;           // when it was reported first
  std::set<std::string, std::less<>> trained_;
};

}  // namespace

std::unique_ptr<Invariant> done_is_done(const InvariantRules&, const RunSoFar& run) {
  return std::make_unique<DoneIsDone>(run);
}

}  // namespace sim::run
