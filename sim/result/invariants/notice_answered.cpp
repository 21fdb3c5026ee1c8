#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "sim/result/invariants/list.h"

namespace sim::result {
namespace {

class NoticeAnswered : public Invariant {
 public:
  NoticeAnswered(const InvariantRules& rules, const RunSoFar& run)
      : Invariant("notice-answered", ""),
        run_(run),
        asked_for_(rules.notice_reaction.has_value()),
        within_(rules.notice_reaction.value_or(InvariantRules::kNoticeReaction)) {
    set_sentence(fmt::format("a job in training answers an interruption notice within {}",
                             format_duration(within_)));
  }

  void listen(events::Listeners& log) override {
    // The end of the machine is not an answer, but afterwards the job cannot answer.
    log.on<events::InstanceState>(
        [this](const auto& e) { answered(e.time, e.instance_id, e.to != "running"); });
    log.on(*this, &NoticeAnswered::notice);
    log.on(*this, &NoticeAnswered::silence);
    log.on<events::TrainerStop>([this](const auto& e) { answered(e.time, e.instance_id, true); });
    log.on<events::TrainerFinished>(
        [this](const auto& e) { answered(e.time, e.instance_id, true); });
    log.on<events::TrainerCheckpointBegin>(
        [this](const auto& e) { answered(e.time, e.instance_id, e.reason == "on-notice"); });
    log.on<events::TrainerCheckpointWritten>(
        [this](const auto& e) { answered(e.time, e.instance_id, true); });
    log.on<events::OrchestratorPhase>(
        [this](const auto& e) { answered(e.time, e.instance_id, e.name == "notice"); });
    log.on<events::GuestExit>([this](const auto& e) { answered(e.time, e.machine, true); });
  }

  void end(const History& history, const Result&) override { look(history.end); }

  bool applies() const override {
    return run_.reports_progress() && (asked_for_ || run_.tells_of_notices());
  }

 private:
  struct Notice {
    Time at;
    std::vector<std::string> lines;  // lines of the start of training and of the notice
  };

  void notice(const events::InstanceNotice& event) {
    const std::string instance(event.instance_id);
    if (run_.history().is_managed(instance)) return;  // a container does not see the notice
    const auto training = run_.training().find(instance);
    if (training != run_.training().end())
      open_.try_emplace(instance, Notice{event.time, {training->second, to_line(event)}});
  }

  void silence(const events::FaultSilence& event) {
    look(event.time);
    Time& until = silent_until_[std::string(event.instance_id)];
    until = std::max(until, parse_time(event.until).value_or(until));
  }

  void answered(Time at, std::string_view machine, bool answer) {
    if (open_.empty()) return;
    look(at);
    if (answer) open_.erase(std::string(machine));
  }

  // A notice that metadata did not show yet needs no answer yet.
  Time answer_is_due(const std::string& instance, const Notice& notice) const {
    const auto silent = silent_until_.find(instance);
    return (silent == silent_until_.end() ? notice.at : std::max(notice.at, silent->second)) +
           within_;
  }

  void look(Time now) {
    for (const auto& [instance, notice] : open_) {
      const Time due = answer_is_due(instance, notice);
      if (now <= due) continue;
      broken(due,
             fmt::format("no answer of {} to the notice of {}", instance, iso_seconds(notice.at)),
             notice.lines);
    }
  }

  const RunSoFar& run_;
  bool asked_for_;
  Duration within_;
  std::map<std::string, Notice> open_;        // by instance
  std::map<std::string, Time> silent_until_;  // end of silent metadata, by instance
};

}  // namespace

std::unique_ptr<Invariant> notice_answered(const InvariantRules& rules, const RunSoFar& run) {
  return std::make_unique<NoticeAnswered>(rules, run);
}

}  // namespace sim::result
