#include "orchestrator/instance/training.h"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <optional>

#include "base/spot_notice.h"
#include "orchestrator/instance/job_volume.h"
#include "orchestrator/instance/watchdog.h"

namespace spotrun {
namespace {

using Kind = TrainingEnd::Kind;

constexpr Duration kShutdownTime{60'000};  // the longest time that a shutdown leaves
constexpr Duration kBetweenRestarts{5'000}, kLongestPause{300'000};
constexpr int kUnaskedStops = 10;  // restarts after exits that claim to be resumable
constexpr int kHangs = 3;          // restarts of a trainer that hung

struct InterruptionNotice {
  std::string action;  // terminate, stop, hibernate
  Time at;             // when the instance will end
};

// EC2's announcements in the metadata service.
class Notices {
 public:
  Notices(client::MetadataClient& imds, Log& log) : imds_(imds), log_(log) {}

  // Polls spot/instance-action once. The function also polls for a rebalance recommendation, and
  // logs the first one. Unreadable metadata are logged and are no notice, because only a notice
  // stops a trainer early.
  std::optional<InterruptionNotice> look();

 private:
  std::optional<InterruptionNotice> read_action();

  client::MetadataClient& imds_;
  Log& log_;
  bool recommended_ = false;
};

std::optional<InterruptionNotice> Notices::look() {
  try {
    if (auto notice = read_action()) return notice;
    if (!recommended_) {
      const auto body = imds_.get("meta-data/events/recommendations/rebalance");
      if (body && base::is_rebalance_recommendation(*body)) {
        recommended_ = true;
        log_.say("EC2 recommends to rebalance: " + *body);
      }
    }
    return std::nullopt;
  } catch (const client::MetadataError& error) {
    log_.say(fmt::format("cannot look for a notice: {}", error.what()));
    return std::nullopt;
  }
}

std::optional<InterruptionNotice> Notices::read_action() {
  const auto body = imds_.get("meta-data/spot/instance-action");
  if (!body) return std::nullopt;
  if (const auto action = base::parse_instance_action(*body)) {
    return InterruptionNotice{action->action, std::chrono::floor<Duration>(action->time)};
  }
  log_.say("spot/instance-action is no notice: " + body->substr(0, 200));
  return std::nullopt;
}

class Training {
 public:
  Training(InstanceContext& context, const Job& job, std::string volume_id, Command command,
           ProgressNotes& progress, bool spot)
      : context_(context),
        job_(job),
        volume_id_(std::move(volume_id)),
        command_(std::move(command)),
        progress_(progress),
        notices_(context.imds, context.log),
        watchdog_(context, job.train.hang_timeout, checkpoint_folder(job)),
        spot_(spot) {}

  TrainingEnd run() {
    int failures = 0, stops = 0, hangs = 0;
    for (;;) {
      try {
        if (auto notice = look()) return {Kind::kStopped, announce(*notice)};
        const Time begin = context_.clock.now();
        const TrainingEnd end = run_once();
        const Duration ran = context_.clock.now() - begin;
        if (saved_) progress_.saved();
        if (end.kind != Kind::kFailed) return end;
        const int fruitless = saved_ || hung_ ? 0 : count_fruitless(ran);
        pause(fruitless);
        // A trainer that stopped by itself may have seen a notice first. The next poll shows it.
        int& count = saved_ ? stops : hung_ ? hangs : failures;
        const int most = saved_ ? kUnaskedStops : hung_ ? kHangs : job_.train.max_restarts;
        if (++count > most && !look()) return end;
        if (fruitless > kFruitlessRestarts && !look())
          return {Kind::kFailed, fmt::format("{}, {} times in a row without a new checkpoint",
                                             end.why, fruitless)};
        context_.log.say(
            fmt::format("the trainer ended ({}): restart {} of {}", end.why, count, most));
        if (fruitless > 1) mount_anew(context_, job_, volume_id_);
      } catch (const Stopped&) {
        return {Kind::kStopped, "asked to stop"};
      }
    }
  }

 private:
  std::optional<InterruptionNotice> look() { return spot_ ? notices_.look() : std::nullopt; }

  // The number of consecutive short runs that failed without a new checkpoint, including this one.
  int count_fruitless(Duration ran) {
    if (volume_id_.empty()) return 0;
    if (ran >= kLongRun) return fruitless_ = 0;
    std::string state = context_.machine.state_of(checkpoint_folder(job_));
    fruitless_ = state == state_at_failure_ ? fruitless_ + 1 : 1;
    state_at_failure_ = std::move(state);
    return fruitless_;
  }

  // Waits before a restart. A notice ends the wait. When a machine shuts down, all processes get
  // signals, and this program's may come last.
  void pause(int fruitless) {
    Duration left = kBetweenRestarts;
    for (int i = 1; i < fruitless && left < kLongestPause; ++i) left *= 2;
    left = std::min(left, kLongestPause);
    for (;;) {
      const Duration part = std::min(left, std::max(kBetweenRestarts, job_.notice_poll));
      context_.clock.sleep(part);
      left -= part;
      if (left <= Duration{} || look()) return;
    }
  }

  std::string announce(const InterruptionNotice& notice) {
    const std::string why =
        fmt::format("interruption notice: {} at {}", notice.action, iso_time(notice.at));
    context_.log.phase("notice");
    context_.log.say(why);
    return why;
  }

  TrainingEnd run_once() {
    context_.log.phase("train");
    saved_ = hung_ = false;
    progress_.begins();
    context_.machine.start_trainer(command_);
    watchdog_.begins();
    try {
      return watch();
    } catch (const Stopped&) {
      return stop(context_.clock.now() + kShutdownTime, "asked to stop");
    }
  }

  TrainingEnd watch() {
    for (;;) {
      if (const auto status = context_.machine.wait_trainer(job_.notice_poll, watchdog_.due())) {
        context_.machine.signal_trainer(SIGKILL);  // remaining processes of its group
        return ended(*status);
      }
      if (const auto notice = look()) return stop(notice->at - kReleaseTime, announce(*notice));
      if (watchdog_.hung()) return end_hung();
    }
  }

  // The trainer may only be slow, and may still save.
  TrainingEnd end_hung() {
    const std::string why = fmt::format(
        "nothing in {} has changed for {} s: it hangs", checkpoint_folder(job_),
        std::chrono::duration_cast<std::chrono::seconds>(*job_.train.hang_timeout).count());
    context_.log.phase("hang");
    context_.log.say("the trainer: " + why);
    TrainingEnd end = stop(context_.clock.now() + kShutdownTime, why);
    hung_ = true;
    if (end.kind == Kind::kStopped) end.kind = Kind::kFailed;
    return end;
  }

  // The trainer ended by itself.
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
        if (const auto status = context_.machine.wait_trainer(left, Time::max())) return status;
      } catch (const Stopped&) {
        context_.log.say("asked to stop again: still waiting for the trainer");
      }
    }
    return std::nullopt;
  }

  InstanceContext& context_;
  const Job& job_;
  std::string volume_id_;
  Command command_;
  ProgressNotes& progress_;
  Notices notices_;
  Watchdog watchdog_;
  bool spot_;
  bool saved_ = false;  // the trainer's last end was exit 75
  bool hung_ = false;   // it hung and was killed
  int fruitless_ = 0;
  std::optional<std::string> state_at_failure_;  // of the checkpoints' folder, at the last one
};

}  // namespace

TrainingEnd train(InstanceContext& context, const Job& job, const std::string& volume_id,
                  const std::string& folder, const std::map<std::string, std::string>& environment,
                  ProgressNotes& progress, bool spot) {
  return Training(context, job, volume_id,
                  {.argv = {"bash", "-c", job.train.command},
                   .folder = folder,
                   .environment = environment},
                  progress, spot)
      .run();
}

}  // namespace spotrun
