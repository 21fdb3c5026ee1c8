#include "orchestrator/acquire/prepare.h"

#include <fmt/format.h>

#include "orchestrator/failure.h"
#include "orchestrator/job/tags.h"
#include "orchestrator/job/user_data.h"
#include "orchestrator/job/volume_search.h"
#include "orchestrator/waiting.h"

namespace spotrun {
namespace {

const PrepareConfig& prepare_config(const Job& job) {
  if (job.prepare) return *job.prepare;
  throw Failure(ExitCode::kBadInput, "the job file has no \"prepare\"");
}

constexpr int kCreateTries = 3;

// A volume that fails during its creation is empty. It is deleted, and another one is made.
aws::Volume new_volume(const Context& context, const Job& job) {
  for (int tries = 1;; ++tries) {
    const auto made =
        context.ec2.create_volume({.availability_zone = job.volume.availability_zone,
                                   .type = job.volume.type,
                                   .size_gib = job.volume.size_gib,
                                   .tags = {{job.volume.tag_key, job.volume.tag_value}}});
    context.log.say(fmt::format("created volume {} in {}", made.id, job.volume.availability_zone));
    try {
      return wait_available(context, made.id);
    } catch (const TryAgain& error) {
      if (tries == kCreateTries) throw;
      context.log.say(error.what());
    }
    context.ec2.delete_volume(made.id);
  }
}

// Whether no instance has attached the volume since it was prepared.
bool nothing_was_trained_on(const aws::Volume& volume) {
  const auto prepared = parse_iso_time(volume.tag(tags::kPrepared));
  return !prepared || last_attached(volume) < prepared;
}

// The job's volume if it failed without a backup and has only data that `prepare` can make again.
std::optional<aws::Volume> replaceable_volume(const Context& context, const Job& job) {
  auto volume = current_volume(context.ec2, job);
  if (!volume || volume->state != "error" || !nothing_was_trained_on(*volume)) return {};
  if (newest_backup(context.ec2, job, *volume)) return {};
  return volume;
}

aws::Volume find_or_create(const Context& context, const Job& job) {
  const auto volumes = tagged_volumes(context.ec2, job);
  if (!volumes.empty()) {
    if (const auto failed = replaceable_volume(context, job)) {
      context.log.say(fmt::format(
          "volume {} failed before anything was trained on it: another volume takes its place",
          failed->id));
      context.ec2.delete_volume(failed->id);
      return new_volume(context, job);
    }
    const aws::Volume volume = find_job_volume(context, job);  // refuses several, and error
    if (volume.availability_zone != job.volume.availability_zone) {
      throw Failure(ExitCode::kVolume,
                    fmt::format("found volume {} in {}, expected it in {}", volume.id,
                                volume.availability_zone, job.volume.availability_zone));
    }
    return volume;
  }
  return new_volume(context, job);
}

// The instance that an earlier call started for this volume, if the instance is still preparing it.
// Otherwise empty.
std::string preparing_instance(const Context& context, const aws::Volume& volume) {
  const auto instances = context.ec2.describe_instances(
      {{std::string("tag:") + tags::kPreparesVolume, {volume.id}},
       {"instance-state-name", {"pending", "running", "shutting-down"}}});
  return instances.empty() ? "" : instances[0].id;
}

std::string start_instance(const Context& context, const Job& job, const aws::Volume& volume) {
  const PrepareConfig& config = prepare_config(job);
  if (volume.state != "available") {
    throw Failure(ExitCode::kVolumeHeld,
                  fmt::format("volume {} is {}, and no instance prepares it; expected it available",
                              volume.id, volume.state));
  }
  if (!volume.tag(tags::kPrepareFailed).empty()) {
    context.ec2.delete_tags(volume.id, {tags::kPrepareFailed});
  }
  const auto id = context.ec2.run_instance(
      {.image_id = config.image_id,
       .instance_type = config.instance_type,
       .user_data = user_data(job, "instance-prepare"),
       .availability_zone = job.volume.availability_zone,
       .iam_instance_profile = config.iam_instance_profile,
       .key_name = config.key_name,
       .subnet_id = config.subnet_id,
       .security_group_ids = config.security_group_ids,
       .tags = {{"Name", job.name + " prepare"}, {tags::kPreparesVolume, volume.id}}});
  context.log.say(fmt::format("instance {} prepares volume {}", id, volume.id));
  return id;
}

constexpr Duration kForgotten{300'000};

void wait_terminated(const Context& context, const std::string& instance_id) {
  for (Poll poll(context.clock);; poll.wait_for_change()) {
    const auto instance = context.ec2.find_instance(instance_id);
    if (instance && instance->state == "terminated") return;
    // EC2 has retired the instance. Its work is judged by the volume, as after other ends.
    if (instance && instance->is_stopped()) context.ec2.terminate_instance(instance_id);
    // EC2 does not show the instance yet, or no longer.
    if (!instance && poll.waited() >= kForgotten) return;
  }
}

constexpr int kPrepareTries = 3;  // number of instances that may end without an error of the job

// Returns the volume after an instance has worked on it. Throws Failure if that work failed.
aws::Volume prepared_by_instance(const Context& context, const Job& job, const aws::Volume& volume,
                                 bool last) {
  std::string instance = preparing_instance(context, volume);
  if (instance.empty()) instance = start_instance(context, job, volume);
  patiently(context, [&] { wait_terminated(context, instance); });
  const aws::Volume after = patiently(context, [&] { return wait_available(context, volume.id); });
  if (!after.tag(tags::kPrepared).empty()) return after;
  const std::string failed = after.tag(tags::kPrepareFailed);
  const std::string text = fmt::format("volume {} is not prepared: ", volume.id);
  if (!failed.empty()) throw Failure(ExitCode::kJobFailed, text + failed);
  const std::string ended = text + "instance " + instance + " ended before it was through";
  if (last) throw Failure(ExitCode::kJobFailed, ended + "; `spotrun prepare` begins again");
  context.log.say(ended + "; another one begins again");
  return after;
}

}  // namespace

void prepare(const Context& context, const Job& job) {
  prepare_config(job);
  context.log.phase("find-volume");
  aws::Volume volume = find_or_create(context, job);
  if (!volume.tag(tags::kPrepared).empty()) {
    context.log.say(
        fmt::format("volume {} is prepared since {}", volume.id, volume.tag(tags::kPrepared)));
    return;
  }
  for (int tries = 1; volume.tag(tags::kPrepared).empty(); ++tries) {
    try {
      volume = prepared_by_instance(context, job, volume, tries == kPrepareTries);
    } catch (const TryAgain& error) {  // the volume failed before it had data
      if (tries == kPrepareTries) throw;
      context.log.say(fmt::format("{}: another volume takes its place", error.what()));
      context.ec2.delete_volume(volume.id);
      volume = new_volume(context, job);
    }
  }
  context.log.say(fmt::format("volume {} is prepared", volume.id));
  context.log.phase("done");
}

}  // namespace spotrun
