#include <fmt/format.h>

#include <algorithm>

#include "sim/result/invariants/list.h"

namespace sim::run {
namespace {

constexpr Duration kLong = std::chrono::minutes{15};

// An instance is of no more use when its user data has ended and no trainer runs on it: at once
// where spotrun was that user data; of any other script it may serve those who train, and counts
// from when nobody does. From its notice on nobody need end it.
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
    // Instances that faults made: one of two twins is as good as the other.
    const auto spare = std::ranges::count_if(
        history.made_by_faults, [](const auto& made) { return made.first.starts_with("i-"); });
    std::ptrdiff_t idle = 0;
    for (const History::Instance& instance : history.instances) {
      const auto ended = history.exits.find(instance.id);
      if (ended == history.exits.end() || !instance.running_at) continue;
      Time since = std::max(ended->second.at, last_of(instance));
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
  // The last that is heard of its trainer, which may run in the background.
  static Time last_of(const History::Instance& instance) {
    return instance.trainer.empty() ? instance.launched_at : instance.trainer.back().at;
  }

  const RunSoFar& run_;
};

}  // namespace

std::unique_ptr<Invariant> nothing_idle(const InvariantRules&, const RunSoFar& run) {
  return std::make_unique<NothingIdle>(run);
}

}  // namespace sim::run
