#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "sim/result/invariants/list.h"

namespace sim::run {
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

  std::vector<std::string_view> hears() const override {
    return {"instance.notice",
            "instance.state",
            "trainer.stop",
            "trainer.finished",
            "trainer.checkpoint-begin",
            "trainer.checkpoint-written",
            "orchestrator.phase",
            "guest.exit",
            "fault.silence"};
  }

  void hear(const Line& line) override {
    const std::string_view kind = line.kind();
    // Nobody tells a container of its instance's notice.
    if (kind == "instance.state" && !line.text("managed_by").empty())
      managed_.insert(std::string(line.text("instance_id")));
    if (kind == "instance.notice" && managed_.contains(std::string(line.text("instance_id"))))
      return;
    if (kind == "instance.notice") {
      const auto training = run_.training().find(std::string(line.text("instance_id")));
      if (training != run_.training().end())
        open_.try_emplace(training->first, Notice{line.at(), {training->second, line.written()}});
      return;
    }
    if (kind == "fault.silence") {
      look(line.at());
      Time& until = silent_until_[std::string(line.text("instance_id"))];
      until = std::max(until, parse_time(line.text("until")).value_or(until));
      return;
    }
    if (open_.empty()) return;
    look(line.at());
    if (answers(line))
      open_.erase(std::string(line.text(kind == "guest.exit" ? "machine" : "instance_id")));
  }

  void end(const Story& story, const Result&) override { look(story.end); }

  bool applies() const override {
    return run_.reports_progress() && (asked_for_ || run_.tells_of_notices());
  }

 private:
  struct Notice {
    Time at;
    std::vector<std::string> lines;  // of the training's beginning, and its own
  };

  // The end of its machine is no answer, but leaves nobody to give one.
  static bool answers(const Line& line) {
    const std::string_view kind = line.kind();
    if (kind == "trainer.checkpoint-begin") return line.text("reason") == "on-notice";
    if (kind == "orchestrator.phase") return line.text("name") == "notice";
    if (kind == "instance.state") return line.text("to") != "running";
    return true;
  }

  // What nobody could read yet needs no answer yet.
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
  std::set<std::string> managed_;             // instances that a service manages
  std::map<std::string, Time> silent_until_;  // metadata, by instance
};

}  // namespace

std::unique_ptr<Invariant> notice_answered(const InvariantRules& rules, const RunSoFar& run) {
  return std::make_unique<NoticeAnswered>(rules, run);
}

}  // namespace sim::run
