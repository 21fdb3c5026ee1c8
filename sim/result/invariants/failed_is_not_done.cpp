#include <fmt/format.h>

#include <map>

#include "sim/result/invariants/list.h"

namespace sim::run {
namespace {

constexpr int kMostOfAProgram = 128;  // above: a shell's status of one that a signal ended

// Who ends what would have replaced it says that nothing is left to do, unless it says that it
// failed: by spotrun's phase, or by an exit status of its own (one of a signal is the machine's
// end).
class FailedIsNotDone : public Invariant {
 public:
  explicit FailedIsNotDone(const RunSoFar& run)
      : Invariant("failed-is-not-done", "a job that has not finished is not ended as if it had"),
        run_(run) {}

  std::vector<std::string_view> hears() const override {
    return {"api.call", "guest.exit", "orchestrator.phase"};
  }

  void hear(const Line& line) override {
    if (line.kind() == "api.call") return hear_call(line);
    const bool exit = line.kind() == "guest.exit";
    const std::string_view machine = line.text(exit ? "machine" : "instance_id");
    const std::int64_t status = line.whole("status");
    if (exit ? status > 0 && status <= kMostOfAProgram : line.text("name") == "failed")
      told_.emplace(machine, line.at());
    const auto deed = exit ? deeds_.find(machine) : deeds_.end();
    if (deed != deeds_.end()) deed->second.lines.push_back(line.written());
  }

  void end(const Story&, const Result&) override {
    if (run_.finished()) return;
    for (const auto& [machine, deed] : deeds_)
      if (!told_.contains(machine))
        broken(deed.at,
               fmt::format("{} called {} at {}, but no trainer has finished, and it did not say "
                           "that it failed",
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

  void hear_call(const Line& line) {
    const std::string_view action = line.text("action"), caller = line.text("caller");
    if (action != "CancelSpotFleetRequests" && action != "CancelSpotInstanceRequests" &&
        action != "DeleteFleets")
      return;
    if (!caller.starts_with("i-") || line.text("result") != "ok" || run_.finished()) return;
    deeds_.try_emplace(std::string(caller), Deed{line.at(), std::string(action), {line.written()}});
  }

  const RunSoFar& run_;
  std::map<std::string, Deed, std::less<>> deeds_;  // by instance
  std::map<std::string, Time, std::less<>> told_;
};

}  // namespace

std::unique_ptr<Invariant> failed_is_not_done(const InvariantRules&, const RunSoFar& run) {
  return std::make_unique<FailedIsNotDone>(run);
}

}  // namespace sim::run
