#include <fmt/format.h>

#include <map>

#include "sim/result/invariants/list.h"

namespace sim::result {
namespace {

constexpr int kMostOfAProgram = 128;  // above: a signal ended the program

// An instance that cancels its replacement (it deletes the fleet or group) claims that no work is
// left. That is wrong if the job has not finished, unless the instance reports a failure. It does
// so by spotrun's phase, or by an exit status of its own. A status of a signal is the machine's end
// and reports nothing.
class FailedIsNotDone : public Invariant {
 public:
  explicit FailedIsNotDone(const RunSoFar& run)
      : Invariant("failed-is-not-done",
                  "a job that has not finished is not shut down as if it had"),
        run_(run) {}

  void listen(events::Listeners& log) override {
    log.on(*this, &FailedIsNotDone::call);
    log.on(*this, &FailedIsNotDone::exit);
    log.on<events::OrchestratorPhase>([this](const events::OrchestratorPhase& event) {
      if (event.name == "failed") told_.emplace(event.instance_id, event.time);
    });
  }

  void end(const History&, const Result&) override {
    if (run_.finished()) return;
    for (const auto& [machine, deed] : deeds_)
      if (!told_.contains(machine))
        broken(deed.at,
               fmt::format("{} called {} at {}, but no trainer has finished, and the job was not "
                           "reported as failed",
                           machine, deed.action, iso_seconds(deed.at).substr(11, 8)),
               deed.lines, {{"outcome"}});
  }

  bool applies() const override { return run_.reports_progress(); }

 private:
  struct Deed {
    Time at;
    std::string action;
    std::vector<std::string> lines;
  };

  void exit(const events::GuestExit& event) {
    if (event.status > 0 && event.status <= kMostOfAProgram)
      told_.emplace(event.machine, event.time);
    const auto deed = deeds_.find(event.machine);
    if (deed != deeds_.end()) deed->second.lines.push_back(to_line(event));
  }

  void call(const events::ApiCall& event) {
    if (event.action != "CancelSpotFleetRequests" && event.action != "CancelSpotInstanceRequests" &&
        event.action != "DeleteFleets")
      return;
    if (!event.caller.starts_with("i-") || event.result != "ok" || run_.finished()) return;
    deeds_.try_emplace(std::string(event.caller),
                       Deed{event.time, std::string(event.action), {to_line(event)}});
  }

  const RunSoFar& run_;
  std::map<std::string, Deed, std::less<>> deeds_;  // by instance
  std::map<std::string, Time, std::less<>> told_;
};

}  // namespace

std::unique_ptr<Invariant> failed_is_not_done(const InvariantRules&, const RunSoFar& run) {
  return std::make_unique<FailedIsNotDone>(run);
}

}  // namespace sim::result
