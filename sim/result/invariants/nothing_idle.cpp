#include <fmt/format.h>

#include <algorithm>

#include "sim/result/invariants/list.h"

namespace sim::result {
namespace {

constexpr Duration kLong = std::chrono::minutes{15};

// An instance is idle when its user data has ended and no trainer runs on it. After spotrun's user
// data it is idle at once. After another script the instance may still serve training instances,
// and is idle only when none trains. After its notice an instance need not be ended.
class NothingIdle : public Invariant {
 public:
  explicit NothingIdle(const RunSoFar& run)
      : Invariant("nothing-idle",
                  "no instance is idle and billed for more than " + format_duration(kLong)),
        run_(run) {}

  void end(const History& history, const Result&) override {
    Time trained = history.header.start;
    for (const History::Instance& instance : history.instances)
      trained = std::max(trained, last_of(instance));
    // Instances that faults made: either of two twins may remain.
    const auto spare = std::ranges::count_if(
        history.made_by_faults, [](const auto& made) { return made.first.starts_with("i-"); });
    std::ptrdiff_t idle = 0;
    for (const History::Instance& instance : history.instances) {
      const auto ended = history.exits.find(instance.id);
      if (ended == history.exits.end() || !instance.running_at) continue;
      Time since = std::max(ended->second.at, last_of(instance));
      since = std::max(since, instance.runs_since().value_or(since));
      if (instance.phases.empty()) since = std::max(since, trained);
      const Time until = std::min(instance.billed_until().value_or(history.end),
                                  instance.notice_at.value_or(history.end));
      if (until - since <= kLong || ++idle <= spare) continue;
      broken(since + kLong,
             fmt::format("{} was idle from {} to {}", instance.id, iso_seconds(since),
                         iso_seconds(until)),
             {ended->second.line}, {{"running_instances"}});
    }
  }

  bool applies() const override { return run_.reports_progress(); }

 private:
  // The time of the trainer's last line. The trainer may run in the background.
  static Time last_of(const History::Instance& instance) {
    return instance.trainer.empty() ? instance.launched_at : instance.trainer.back().at;
  }

  const RunSoFar& run_;
};

}  // namespace

std::unique_ptr<Invariant> nothing_idle(const InvariantRules&, const RunSoFar& run) {
  return std::make_unique<NothingIdle>(run);
}

}  // namespace sim::result
