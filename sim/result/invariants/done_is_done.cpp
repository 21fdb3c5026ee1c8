#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "sim/result/invariants/list.h"

namespace sim::result {
namespace {

constexpr std::string_view kDoneTag = "spotrun:done";

// A job reports that it is done by spotrun's tag on its volume, or by spotrun's phase "done". The
// phase counts only if the instance has trained, because an instance that prepares ends with "done"
// too.
class DoneIsDone : public Invariant {
 public:
  explicit DoneIsDone(const RunSoFar& run)
      : Invariant("done-is-done",
                  "a job that is reported as done has finished, and its state is kept"),
        run_(run) {}

  void listen(events::Listeners& log) override {
    log.on(*this, &DoneIsDone::phase);
    log.on(*this, &DoneIsDone::tags_created);
    log.on<events::VolumeState>([this](const events::VolumeState& event) {
      if (event.to == "error") failed_ = event.time;
    });
  }

  bool applies() const override { return run_.reports_progress(); }

 private:
  void phase(const events::OrchestratorPhase& event) {
    const History::Instance* const instance = run_.history().instance(event.instance_id);
    if (event.name == "done" && instance && instance->reached("train"))
      claimed(event.time, event.instance_id, to_line(event));
  }

  void tags_created(const events::TagsCreated& event) {
    if (event.tags.get().contains(kDoneTag)) claimed(event.time, event.resource_id, to_line(event));
  }

  void claimed(Time at, std::string_view where, const std::string& line) {
    const std::string clock = iso_seconds(at).substr(11, 8);
    if (!run_.finished())
      return broken(at, fmt::format("done on {} at {}, but no trainer has finished", where, clock),
                    {line}, {{"outcome"}});
    const bool unseen = failed_ && at - *failed_ < kLook;
    if (kept_ || unseen || !run_.needs_evidence()) return;
    const Evidence evidence = run_.history().checkpoints.found();
    kept_ = evidence.kept.value_or(true);
    if (!kept_)
      broken(at, fmt::format("done on {} at {}, but {}", where, clock, evidence.why), {line},
             {{"state_kept"}});
  }

  // The reporter read the volume's state some seconds earlier. The volume may have failed since
  // then.
  static constexpr Duration kLook = std::chrono::seconds{10};
  const RunSoFar& run_;
  std::optional<Time> failed_;  // last failure of a volume
  bool kept_ = false;           // at the first report
};

}  // namespace

std::unique_ptr<Invariant> done_is_done(const InvariantRules&, const RunSoFar& run) {
  return std::make_unique<DoneIsDone>(run);
}

}  // namespace sim::result
