#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

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
                  "no instance is paid for idly for more than " + format_duration(kLong)),
        run_(run) {}

  void listen(events::Listeners& log) override {
    log.on<events::GuestExit>([this](const events::GuestExit& event) {
      ended_.insert_or_assign(std::string(event.machine), Ended{event.time, to_line(event)});
    });
    log.on<events::OrchestratorPhase>(
        [this](const auto& event) { of_spotrun_.emplace(event.instance_id); });
    log.on<events::FaultMade>([this](const events::FaultMade& event) {
      if (event.resource_id.starts_with("i-")) ++spare_;
    });
  }

  void end(const Story& story, const Result&) override {
    Time trained = story.header.start;
    for (const InstanceStory& instance : story.instances)
      trained = std::max(trained, last_of(instance));
    std::size_t idle = 0;
    for (const InstanceStory& instance : story.instances) {
      const auto ended = ended_.find(instance.id);
      if (ended == ended_.end() || !instance.running_at) continue;
      Time since = std::max(ended->second.at, last_of(instance));
      if (!of_spotrun_.contains(instance.id)) since = std::max(since, trained);
      const Time until = std::min(instance.billed_until().value_or(story.end),
                                  instance.notice_at.value_or(story.end));
      if (until - since <= kLong || ++idle <= spare_) continue;
      broken(since + kLong,
             fmt::format("{} was idle from {} to {}", instance.id, iso_seconds(since),
                         iso_seconds(until)),
             {ended->second.line}, {{"running_instances"}});
    }
  }

  bool applies() const override { return run_.reports_progress(); }

 private:
  struct Ended {
    Time at;
    std::string line;
  };

  // The last that is heard of its trainer, which may run in the background.
  static Time last_of(const InstanceStory& instance) {
    return instance.trainer.empty() ? instance.launched_at : instance.trainer.back().at;
  }

  const RunSoFar& run_;
  std::map<std::string, Ended> ended_;             // user data, by instance
  std::set<std::string, std::less<>> of_spotrun_;  // instances
  std::size_t spare_ = 0;  // made by faults: of twins one is as good as the other
};

}  // namespace

std::unique_ptr<Invariant> nothing_idle(const InvariantRules&, const RunSoFar& run) {
  return std::make_unique<NothingIdle>(run);
}

}  // namespace sim::run
