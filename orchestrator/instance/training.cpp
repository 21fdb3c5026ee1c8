#include "orchestrator/instance/training.h"

#include <fmt/format.h>

#include <csignal>

#include "orchestrator/aws/iso_time.h"
#include "orchestrator/instance/notices.h"

namespace spotrun {
namespace {

using Kind = TrainingEnd::Kind;

constexpr Duration kShutdownTime{60'000};  // what a shutdown gives us at most
constexpr Duration kBetweenRestarts{5'000};
constexpr int kUnaskedStops = 10;  // restarts after exits that claim to be resumable

class Training {
 public:
  Training(InstanceContext& context, const Job& job, Command command, ProgressNotes& progress,
           bool spot)
      : context_(context),
        job_(job),
        command_(std::move(command)),
        progress_(progress),
        notices_(context.imds, context.log),
        spot_(spot) {}

  TrainingEnd run() {
    int failures = 0, stops = 0;
    for (;;) {
      try {
        if (auto notice = look()) return {Kind::kStopped, announce(*notice)};
        const TrainingEnd end = run_once();
        if (saved_) progress_.saved();
        if (end.kind != Kind::kFailed) return end;
        // A machine that goes down tells all processes at once, and ours may come last.
        context_.clock.sleep(kBetweenRestarts);
        // One that stopped of itself may have seen a notice before us: the next look tells.
        int& count = saved_ ? stops : failures;
        const int most = saved_ ? kUnaskedStops : job_.train.max_restarts;
        if (++count > most && !look()) return end;
        context_.log.say(
            fmt::format("the trainer ended ({}): restart {} of {}", end.why, count, most));
      } catch (const Stopped&) {
        return {Kind::kStopped, "asked to stop"};
      }
    }
  }

 private:
  std::optional<InterruptionNotice> look() {
    return spot_ ? notices_.look(context_.clock.now()) : std::nullopt;
  }

  std::string announce(const InterruptionNotice& notice) {
    const std::string why =
        fmt::format("interruption notice: {} at {}", notice.action, aws::iso_time(notice.at));
    context_.log.phase("notice");
    context_.log.say(why);
    return why;
  }

  TrainingEnd run_once() {
    context_.log.phase("train");
    saved_ = false;
    progress_.begins();
    context_.machine.start_trainer(command_);
    try {
      return watch();
    } catch (const Stopped&) {
      return stop(context_.clock.now() + kShutdownTime, "asked to stop");
    }
  }

  TrainingEnd watch() {
    for (;;) {
      if (const auto status = context_.machine.wait_trainer(job_.notice_poll)) {
        context_.machine.signal_trainer(SIGKILL);  // what it left in its group
        return ended(*status);
      }
      if (const auto notice = look()) return stop(notice->at - kReleaseTime, announce(*notice));
    }
  }

  // It ended on its own account.
  TrainingEnd ended(const ExitStatus& status) {
    if (status.signal == 0 && status.code == 0) return {Kind::kFinished, describe(status)};
    note_whether_saved(status);
    return {Kind::kFailed, describe(status)};
  }

  TrainingEnd stop(Time until, const std::string& why) {
    context_.machine.signal_trainer(SIGTERM);
    const auto status = wait_for_exit(until);
    context_.machine.signal_trainer(SIGKILL);
    if (!status) {
      context_.log.say("the trainer did not stop in time and is killed");
      wait_for_exit(context_.clock.now() + kShutdownTime);
      return {Kind::kStopped, why};
    }
    context_.log.say("the trainer stopped: " + describe(*status));
    if (status->signal == 0 && status->code == 0) return {Kind::kFinished, describe(*status)};
    note_whether_saved(*status);
    if (!saved_) context_.log.say("its last progress may not be saved");
    return {Kind::kStopped, why};
  }

  void note_whether_saved(const ExitStatus& status) {
    saved_ = status.signal == 0 && status.code == kTrainerStopped;
  }

  std::optional<ExitStatus> wait_for_exit(Time until) {
    while (context_.clock.now() < until) {
      try {
        const Duration left = until - context_.clock.now();
        if (const auto status = context_.machine.wait_trainer(left)) return status;
      } catch (const Stopped&) {
        context_.log.say("asked to stop again: still waiting for the trainer");
      }
    }
    return std::nullopt;
  }

  InstanceContext& context_;
  const Job& job_;
  Command command_;
  ProgressNotes& progress_;
  Notices notices_;
  bool spot_;
  bool saved_ = false;  // the trainer's last end was exit 75
};

}  // namespace

TrainingEnd train(InstanceContext& context, const Job& job, const std::string& folder,
                  const std::map<std::string, std::string>& environment, ProgressNotes& progress,
                  bool spot) {
  return Training(context, job,
                  {.argv = {"bash", "-c", job.train.command},
                   .folder = folder,
                   .environment = environment},
                  progress, spot)
      .run();
}

}  // namespace spotrun
