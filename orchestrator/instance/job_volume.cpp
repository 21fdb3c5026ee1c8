#include "orchestrator/instance/job_volume.h"

#include <fmt/format.h>

#include <algorithm>

#include "orchestrator/failure.h"
#include "orchestrator/instance/training.h"

namespace spotrun {
namespace {

constexpr Duration kNodePatience{300'000};
constexpr int kUnmountTries = 15;

std::string wait_for_node(InstanceContext& context, const Job& job, const std::string& volume_id) {
  const Time begin = context.clock.now();
  for (;;) {
    if (auto node = context.machine.find_device(job.volume.device, volume_id)) return *node;
    if (context.clock.now() - begin >= kNodePatience) {
      throw Failure(ExitCode::kMachine,
                    fmt::format("volume {} is attached as {}, but no such device appeared in {} s",
                                volume_id, job.volume.device, kNodePatience.count() / 1000));
    }
    context.clock.sleep(Duration{1'000});
  }
}

bool unmount(InstanceContext& context, const std::string& mount_point) {
  for (int tries = 1;; ++tries) {
    try {
      context.machine.unmount(mount_point);
      return true;
    } catch (const MachineError& error) {
      if (tries == kUnmountTries) {
        context.log.say(error.what());
        return false;
      }
    }
    context.clock.sleep(Duration{2'000});
  }
}

// If the first answer was lost, the retry finds a volume that is already detached.
void detach(const InstanceContext& context, const std::string& volume_id,
            const client::Identity& self) {
  try {
    context.ec2.detach_volume(volume_id, self.instance_id);
  } catch (const aws::ApiError&) {
    const auto now = context.ec2.find_volume(volume_id);
    const bool held =
        now && std::ranges::any_of(now->attachments, [&](const auto& attachment) {
          return attachment.instance_id == self.instance_id && attachment.state == "attached";
        });
    if (held || !now) throw;
  }
}

}  // namespace

void mount_volume(InstanceContext& context, const Job& job, const std::string& volume_id) {
  context.log.phase("mount");
  const std::string node = wait_for_node(context, job, volume_id);
  DeviceContent content = context.machine.probe(node);
  if (content.kind == DeviceContent::Kind::kUnknown) {
    throw Failure(
        ExitCode::kVolume,
        fmt::format("{} (volume {}) is neither blank nor a filesystem ({}): it is left as it "
                    "is",
                    node, volume_id, content.filesystem));
  }
  if (content.kind == DeviceContent::Kind::kBlank) {
    context.log.say(fmt::format("{} is blank: making {}", node, job.volume.filesystem));
    context.machine.format(node, job.volume.filesystem);
    content.filesystem = job.volume.filesystem;
  }
  context.machine.mount(node, content.filesystem, job.volume.mount_point);
}

void mount_anew(InstanceContext& context, const Job& job, const std::string& volume_id) {
  if (unmount(context, job.volume.mount_point)) mount_volume(context, job, volume_id);
}

bool release_volume(InstanceContext& context, const Job& job, const std::string& volume_id,
                    const client::Identity& self) {
  try {
    if (!unmount(context, job.volume.mount_point)) return false;
    detach(context, volume_id, self);
    return true;
  } catch (const std::exception& error) {
    context.log.say(fmt::format("volume {} is not detached: {}", volume_id, error.what()));
    return false;
  }
}

std::string checkpoint_folder(const Job& job) { return job.volume.mount_point + "/checkpoints"; }

std::map<std::string, std::string> job_environment(Machine& machine, const Job& job,
                                                   const std::string& instance_type) {
  const std::string data = job.volume.mount_point + "/datasets";
  machine.make_folder(data);
  std::string checkpoints = job.checkpoints;
  if (checkpoints.empty()) {
    machine.make_folder(checkpoint_folder(job));
    checkpoints = machine.local_path(checkpoint_folder(job));
  }
  std::map<std::string, std::string> environment{
      {"DATA_DIR", machine.local_path(data)},
      {"CHECKPOINT_DIR", checkpoints},
      {"NOTICE_RESERVE", fmt::format("{}s", kReleaseTime / Duration(1000))}};
  const auto profile = job.step_time.find(instance_type);
  if (profile != job.step_time.end()) environment["EMULATE_STEP_TIME"] = profile->second;
  return environment;
}

}  // namespace spotrun
