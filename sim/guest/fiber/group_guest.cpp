#include "sim/guest/fiber/group_guest.h"

#include <algorithm>
#include <csignal>
#include <nlohmann/json.hpp>

#include "api/autoscaling.h"
#include "sim/cloud/host.h"
#include "sim/guest/fiber/seams.h"

namespace sim::guest {
namespace {

constexpr spotrun::Duration kPollInterval = 5s;  // for the volume, and for the notice
constexpr const char* kFilesystem = "xfs";
constexpr const char* kMountPoint = "/training";
constexpr const char* kCheckpoints = "/training/checkpoints";
constexpr const char* kInstanceAction =
    "http://169.254.169.254/latest/meta-data/spot/instance-action";

constexpr const char* kScalingGroup = "aws:autoscaling:groupName";
constexpr const char* kElastigroup = "spotinst:aws:ec2:group:id";

constexpr int kTrainerStopped = 75;  // spottrain's exit code
constexpr int kScriptFailed = 1, kTerminatedBySignal = 128 + SIGTERM;

int exit_status(const spotrun::ExitStatus& status) {
  return status.signal != 0 ? 128 + status.signal : status.code;
}

}  // namespace

bool is_of_group(const cloud::Instance& instance) {
  return instance.tags.contains(kScalingGroup) || instance.tags.contains(kElastigroup);
}

bool needs_volume(const TrainerModel& trainer) {
  return std::ranges::any_of(trainer.tiers, [](const CheckpointTier& tier) {
    return tier.to == TierKind::kVolume || tier.to == TierKind::kSnapshot;
  });
}

bool may_have_volume(const cloud::Instance& instance) {
  return instance.tags.contains(kElastigroup) ||
         std::ranges::any_of(instance.spec.block_devices, [](const cloud::BlockDevice& device) {
           return !cloud::is_root_device(device.device);
         });
}

int GroupGuest::run() {
  try {
    return run_script();
  } catch (const spotrun::Stopped&) {
    return kTerminatedBySignal;
  } catch (const spotrun::MachineError&) {
    return kScriptFailed;  // the volume was detached
  }
}

int GroupGuest::run_script() {
  const bool on_volume = needs_volume(world_.trainer);
  if (!on_volume) {
    download_data();
  } else if (!mount_volume()) {
    return kScriptFailed;
  }
  const int status = train();
  if (status == kTrainerStopped) return 0;
  if (status != 0) return status;
  if (on_volume) world_.machine.unmount(kMountPoint);
  return delete_group();
}

bool GroupGuest::mount_volume() {
  std::optional<std::string> node;
  while (!(node = world_.machine.data_device())) {
    const Time until = world_.simulation.now() + kPollInterval;
    while (world_.program.wait_until(until)) {
    }
  }
  const bool blank = world_.machine.probe(*node).kind == spotrun::DeviceContent::Kind::kBlank;
  if (blank) world_.machine.format(*node, kFilesystem);
  world_.machine.mount(*node, kFilesystem, kMountPoint);
  return world_.machine.put_data(kMountPoint);
}

void GroupGuest::download_data() {
  for (const CheckpointTier& tier : world_.trainer.tiers)
    if (tier.to == TierKind::kObjectStore)
      world_.program.spend(transfer_time(tier.object_store, world_.trainer.data_bytes));
}

int GroupGuest::train() {
  world_.machine.start_trainer(*world_.trainer.step_time, kCheckpoints);
  for (bool stopping = false;;) {
    try {
      if (const auto status = world_.machine.wait_trainer(kPollInterval, spotrun::Time::max()))
        return exit_status(*status);
      if (stopping || !is_noticed()) continue;
      world_.machine.signal_trainer(SIGTERM);
      stopping = true;
    } catch (const spotrun::Stopped&) {
      stopping = true;  // the operating system also signals the trainer
    }
  }
}

bool GroupGuest::is_noticed() {
  FiberHttp http(world_.simulation, world_.program, world_.metadata);
  try {
    const auto answer = http.send({.method = "GET", .url = kInstanceAction});
    return answer.status == 200 && answer.body.find("\"terminate\"") != std::string::npos;
  } catch (const client::TransportError&) {
    return false;
  }
}

int GroupGuest::delete_group() {
  const cloud::Tags& tags = world_.instance.tags;
  if (const auto group = tags.find(kScalingGroup); group != tags.end()) {
    const api::Service& service = api::autoscaling::kService;
    const nlohmann::json request{{"AutoScalingGroupName", group->second}, {"ForceDelete", true}};
    return world_.aws.run(
        AwsCommand{CallService{&service, service.find("DeleteAutoScalingGroup"), request.dump()}});
  }
  return world_.aws.run(
      CurlCommand{.method = "DELETE",
                  .target = "/aws/ec2/group/" + tags.at(kElastigroup),
                  .headers = {{"Authorization", "Bearer 0123456789abcdef"},
                              {"Content-Type", "application/json"}},
                  .body = R"({"statefulDeallocation": {"shouldDeleteSnapshots": true}})"});
}

}  // namespace sim::guest
