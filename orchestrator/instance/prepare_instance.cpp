#include <fmt/format.h>

#include "orchestrator/instance/clean_up.h"
#include "orchestrator/instance/instance.h"
#include "orchestrator/instance/job_volume.h"
#include "orchestrator/instance/volume_hop.h"
#include "orchestrator/job/tags.h"
#include "orchestrator/job/volume_search.h"
#include "orchestrator/waiting.h"

namespace spotrun {
namespace {

constexpr std::size_t kLongestFailureTag = 255;

aws::Volume find_here(InstanceContext& context, const Job& job, const client::Identity& self) {
  context.log.phase("find-volume");
  const aws::Volume volume = find_job_volume(context, job);
  if (volume.availability_zone != self.availability_zone) {
    throw Failure(ExitCode::kVolume,
                  fmt::format("volume {} is in {}, this instance in {}", volume.id,
                              volume.availability_zone, self.availability_zone));
  }
  return wait_until_free(context, volume.id, self.instance_id);
}

void run_command(InstanceContext& context, const Job& job, const client::Identity& self) {
  const auto environment = job_environment(context.machine, job, self.instance_type);
  const std::string marker = job.volume.mount_point + "/.spotrun-prepared";
  if (context.machine.exists(marker)) {
    context.log.say("the volume was prepared before");
    return;
  }
  const ExitStatus status =
      context.machine.run({.argv = {"bash", "-c", job.prepare->command},
                           .folder = context.machine.local_path(job.volume.mount_point),
                           .environment = environment});
  if (status.code != 0 || status.signal != 0) {
    throw Failure(ExitCode::kJobFailed, "the prepare command failed: " + describe(status));
  }
  context.machine.write_file(marker, iso_time(context.clock.now()) + "\n");
}

// Attaches, mounts, runs, unmounts and detaches. The tag for success is written last, because it
// promises that all these steps succeeded.
void prepare_volume(InstanceContext& context, const Job& job, const client::Identity& self,
                    const aws::Volume& volume) {
  context.log.phase("attach");
  patiently(context, [&] { attach_volume(context, volume, job, self); });
  mount_volume(context, job, volume.id);
  run_command(context, job, self);
  context.log.phase("clean-up");
  if (!release_volume(context, job, volume.id, self)) {
    throw Failure(ExitCode::kMachine, "the volume was not unmounted and detached");
  }
  patiently(context, [&] {
    wait_available(context, volume.id);
    context.ec2.create_tags(volume.id, {{tags::kPrepared, iso_time(context.clock.now())}});
  });
}

void say_failed(InstanceContext& context, const Job& job, const client::Identity& self,
                const std::string& volume_id, std::string why) {
  context.log.say(why);
  context.log.phase("failed");
  if (volume_id.empty()) return;
  try {
    why.resize(std::min(why.size(), kLongestFailureTag));
    context.ec2.create_tags(volume_id, {{tags::kPrepareFailed, why}});
  } catch (const std::exception& error) {
    context.log.say(error.what());
  }
  release_volume(context, job, volume_id, self);
}

}  // namespace

ExitCode prepare_on_instance(InstanceContext& context, const Job& job,
                             const client::Identity& self) {
  if (!job.prepare) throw Failure(ExitCode::kBadInput, "the job file has no \"prepare\"");
  ExitCode code = ExitCode::kDone;
  std::string volume_id;
  try {
    const aws::Volume volume = patiently(context, [&] { return find_here(context, job, self); });
    volume_id = volume.id;
    prepare_volume(context, job, self, volume);
    context.log.phase("done");
  } catch (const Stopped&) {  // the machine shuts down, and `prepare` starts again on another one
    code = ExitCode::kStopped;
    context.log.say("asked to stop");
    if (!volume_id.empty()) release_volume(context, job, volume_id, self);
  } catch (const Failure& error) {
    code = error.code;
    say_failed(context, job, self, volume_id, error.what());
  } catch (const MachineError& error) {
    code = ExitCode::kMachine;
    say_failed(context, job, self, volume_id, error.what());
  } catch (const std::exception& error) {  // ApiError, TryAgain
    code = ExitCode::kAws;
    say_failed(context, job, self, volume_id, error.what());
  }
  give_back(context, self);
  return code;
}

}  // namespace spotrun
