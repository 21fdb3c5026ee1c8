#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "sim/result/invariants/list.h"

namespace sim::result {
namespace {

// Applies only to jobs of spotrun, whose users read the tags of the job's volume to learn the
// state.
class FinishedIsTold : public Invariant {
 public:
  explicit FinishedIsTold(const RunSoFar& run)
      : Invariant("finished-is-told",
                  "a job that has finished is reported as done when it is over"),
        run_(run) {}

  void listen(events::Listeners& log) override {
    log.on<events::TrainerFinished>([this](const auto& event) { finished_ = to_line(event); });
    log.on<events::TagsCreated>([this](const events::TagsCreated& event) {
      const Json& tags = event.tags.get();
      told_ |= tags.contains("spotrun:done") || tags.contains("spotrun:failed");
    });
  }

  void end(const History& history, const Result& result) override {
    const bool over = result.at_end.running_instances == 0 && result.at_end.active_fleets == 0;
    if (!run_.finished() || !over || told_ || run_.tagged_broke()) return;
    broken(history.end, "nothing is running, and the job's volume has no tag of completion",
           {finished_}, {{"outcome"}});
  }

  bool applies() const override {
    const auto trains = [](const History::Instance& instance) { return instance.reached("train"); };
    return std::ranges::any_of(run_.history().instances, trains) && !run_.job_tag().empty();
  }

 private:
  const RunSoFar& run_;
  bool told_ = false;
  std::string finished_;
};

}  // namespace

std::unique_ptr<Invariant> finished_is_told(const InvariantRules&, const RunSoFar& run) {
  return std::make_unique<FinishedIsTold>(run);
}

}  // namespace sim::result
