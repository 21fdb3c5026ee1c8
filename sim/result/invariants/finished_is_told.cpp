#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "sim/result/invariants/list.h"

namespace sim::run {
namespace {

// Only for jobs of spotrun: a user who waits for a job reads the tags of the job's volume.
class FinishedIsTold : public Invariant {
 public:
  explicit FinishedIsTold(const RunSoFar& run)
      : Invariant("finished-is-told",
                  "a job that has finished is reported as done when it is over"),
        run_(run) {}

  std::vector<std::string_view> hears() const override {
    return {"orchestrator.phase", "trainer.finished", "tags.created"};
  }

  void hear(const Line& line) override {
    if (line.kind() == "orchestrator.phase") {
      spotrun_ |= line.text("name") == "train";
    } else if (line.kind() == "trainer.finished") {
      finished_ = line.written();
    } else {
      const Json& tags = line.member("tags");
      told_ |= std::ranges::any_of(std::array{"spotrun:done", "spotrun:failed"},
                                   [&](const char* tag) { return tags.contains(tag); });
    }
  }

  void end(const Story& story, const Result& result) override {
    const bool over = result.at_end.running_instances == 0 && result.at_end.active_fleets == 0;
    if (!run_.finished() || !over || told_ || run_.tagged_broke()) return;
    broken(story.end, "nothing runs any more, and its volume has no tag that says so", {finished_},
           {{"outcome"}});
  }

  bool applies() const override { return spotrun_ && !run_.job_tag().empty(); }

 private:
  const RunSoFar& run_;
  bool spotrun_ = false, told_ = false;
  std::string finished_;
};

}  // namespace

std::unique_ptr<Invariant> finished_is_told(const InvariantRules&, const RunSoFar& run) {
  return std::make_unique<FinishedIsTold>(run);
}

}  // namespace sim::run
