#include "orchestrator/instance/instance.h"

#include <fmt/format.h>

#include <optional>

#include "orchestrator/instance/clean_up.h"
#include "orchestrator/instance/code.h"
#include "orchestrator/instance/job_volume.h"
#include "orchestrator/instance/training.h"
#include "orchestrator/instance/volume_hop.h"
#include "orchestrator/job/tags.h"
#include "orchestrator/job/training_progress.h"
#include "orchestrator/job/volume_search.h"
#include "orchestrator/waiting.h"

namespace spotrun {
namespace {

constexpr int kVolumeTries = 10;
constexpr std::size_t kLongestTagValue = 255;
constexpr Duration kAfterDeadline{300'000};
constexpr Duration kDetachPatience{300'000};

// Repeats bring_volume after temporary errors. Each attempt continues where the previous one ended.
aws::Volume bring_volume_patiently(InstanceContext& context, const Job& job,
                                   const client::Identity& self) {
  for (int tries = 1;; ++tries) {
    std::string why;
    try {
      return bring_volume(context, job, self);
    } catch (const TryAgain& error) {
      why = error.what();
    } catch (const aws::ApiError& error) {
      // True for errors that occur if another instance was faster.
      const bool raced = error.code() == "IncorrectState" || error.code() == "VolumeInUse" ||
                         error.code() == "InvalidVolume.NotFound" ||
                         error.code() == "InvalidSnapshot.NotFound";
      if (!error.transient() && !raced) throw;
      why = error.what();
    }
    if (tries == kVolumeTries) throw Failure(ExitCode::kAws, why);
    context.log.say(why + ": again in 15 s");
    context.clock.sleep(Duration{15'000});
  }
}

void tag_outcome(InstanceContext& context, const std::string& volume_id, const char* key,
                 std::string value) {
  value.resize(std::min(value.size(), kLongestTagValue));
  patiently(context, [&] { context.ec2.create_tags(volume_id, {{key, value}}); });
}

class InstanceJob {
 public:
  InstanceJob(InstanceContext& context, const Job& job, const client::Identity& self)
      : context_(context), job_(job), self_(self) {}

  ExitCode run() {
    try {
      return run_to_end();
    } catch (const Stopped&) {
      context_.log.say("asked to stop");
      release();
      return ExitCode::kStopped;
    } catch (const Failure& error) {
      return give_up(error.code, error.what());
    } catch (const MachineError& error) {
      return give_up(ExitCode::kMachine, error.what());
    } catch (const std::runtime_error& error) {  // ApiError, MetadataError, NoCredentials
      return give_up(ExitCode::kAws, error.what());
    }
  }

 private:
  ExitCode run_to_end() {
    // A job with its checkpoints in a bucket has no record of its end. Its trainer ends at once
    // when it is done.
    if (!job_.checkpoints.empty()) return *train_to_end({});
    for (;;) {
      const aws::Volume volume = bring_volume_patiently(context_, job_, self_);
      volume_id_ = volume.id;
      leftovers_ = !volume.tag(tags::kHopOf).empty();
      if (const auto code = work_on(volume)) return *code;
      volume_id_.clear();
    }
  }

  // Empty if the volume failed, with the training data on it.
  std::optional<ExitCode> work_on(const aws::Volume& volume) {
    if (!volume.tag(tags::kDone).empty()) {
      context_.log.say("the job is done since " + volume.tag(tags::kDone));
      return finish();
    }
    if (!volume.tag(tags::kFailed).empty()) {
      throw Failure(ExitCode::kJobFailed,
                    "the job has failed before: " + volume.tag(tags::kFailed));
    }
    mount_volume(context_, job_, volume.id);
    return train_to_end(volume);
  }

  std::optional<ExitCode> train_to_end(const aws::Volume& volume) {
    const std::string folder = fetch_code(context_, job_);
    const auto environment = job_environment(context_.machine, job_, self_.instance_type);
    const bool spot = is_spot(context_, self_);
    ProgressNotes progress(context_, volume, self_);
    const TrainingEnd end = train(context_, job_, volume_id_, folder, environment, progress, spot);
    switch (end.kind) {
      case TrainingEnd::Kind::kFinished:
        return finish();
      case TrainingEnd::Kind::kStopped:
        return stopped(end.why);
      case TrainingEnd::Kind::kFailed:
        break;
    }
    throw Failure(ExitCode::kJobFailed, "the trainer failed: " + end.why);
  }

  // Reports the job as done after its volume was detached without failure. Returns empty if the
  // volume failed: a volume that fails while attached is in state error after it is detached.
  std::optional<ExitCode> finish() {
    context_.log.phase("clean-up");
    const bool detached = release();
    if (!volume_id_.empty()) {
      if (detached && has_failed()) {
        context_.log.say(fmt::format(
            "volume {} failed, and what was trained on it is lost: it is made anew", volume_id_));
        return {};
      }
      tag_outcome(context_, volume_id_, tags::kDone, iso_time(context_.clock.now()));
    }
    done_ = true;
    if (leftovers_) delete_leftovers();
    give_back(context_, self_);
    context_.log.phase("done");
    return ExitCode::kDone;
  }

  // Waits for the end of the detachment. Returns true if the volume has failed. A volume that stays
  // attached for minutes has not failed.
  bool has_failed() {
    for (Poll poll(context_.clock); poll.waited() < kDetachPatience; poll.wait_for_change()) {
      const auto volume = patiently(context_, [&] { return context_.ec2.find_volume(volume_id_); });
      if (!volume || volume->state == "error") return true;
      if (volume->state == "available") return false;
    }
    return false;
  }

  void delete_leftovers() {
    try_to("delete what hops have left", [&] { finish_hops(context_, job_, self_); });
  }

  // Releases the volume before this instance ends, so that the next instance need not wait for the
  // end.
  ExitCode stopped(const std::string& why) {
    release();
    context_.log.say(why + ": waiting for the end");
    try {
      context_.clock.sleep(kAfterDeadline);
    } catch (const Stopped&) {
      context_.log.say("asked to stop");
    }
    return ExitCode::kStopped;
  }

  // Handles an error that would also occur on another instance: ends the rental, unless another
  // instance works on the job.
  ExitCode give_up(ExitCode code, const std::string& why) {
    context_.log.say(why);
    context_.log.phase("failed");
    const bool held = code == ExitCode::kVolumeHeld;
    try {
      if (!held && !done_) try_to("tag the volume", [&] { tag_failed(why); });
      release();
      if (!held && job_.checkpoints.empty()) delete_leftovers();
      if (!held) try_to("end the renting", [&] { give_back(context_, self_); });
    } catch (const Stopped&) {
      context_.log.say("asked to stop");
    }
    return code;
  }

  // Runs one step of giving up. A failure of a step does not prevent the following steps.
  template <class Step>
  void try_to(const char* what, Step step) {
    try {
      step();
    } catch (const Stopped&) {
      throw;
    } catch (const std::exception& error) {
      context_.log.say(fmt::format("cannot {}: {}", what, error.what()));
    }
  }

  // Tags the volume even if this instance did not get it, because `spotrun wait` must see the job's
  // end.
  void tag_failed(const std::string& why) {
    if (!job_.checkpoints.empty()) return;
    if (!volume_id_.empty()) return tag_outcome(context_, volume_id_, tags::kFailed, why);
    const auto volumes = patiently(context_, [&] { return tagged_volumes(context_.ec2, job_); });
    for (const auto& volume : volumes) tag_outcome(context_, volume.id, tags::kFailed, why);
  }

  bool release() {
    return !volume_id_.empty() && release_volume(context_, job_, volume_id_, self_);
  }

  InstanceContext& context_;
  const Job& job_;
  const client::Identity& self_;
  std::string volume_id_;   // empty until it is attached
  bool leftovers_ = false;  // of a hop; they could not be deleted so far
  bool done_ = false;       // the job is done, and the volume has its tag
};

}  // namespace

ExitCode run_instance(InstanceContext& context, const Job& job, const client::Identity& self) {
  return InstanceJob(context, job, self).run();
}

}  // namespace spotrun
