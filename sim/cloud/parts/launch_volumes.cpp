// What an instance is launched with: its root volume, and those that block device mappings add.
// A root is shown as EC2 shows it, but what a guest has on it is no disk of this cloud: it costs
// nothing, and no line of the log tells of it.
#include <algorithm>
#include <set>

#include "sim/cloud/parts/state.h"

namespace sim::cloud {
namespace {

constexpr int kRootGib = 8;  // Amazon Linux's
constexpr const char* kRootDevice = "/dev/sda1";

[[noreturn]] void throw_mapping(const std::string& why) {
  throw ApiError("InvalidBlockDeviceMapping", why);
}

Attachment attaching(const Volume& volume, const Instance& instance, const BlockDevice& device,
                     Time now) {
  return {.volume = volume.id,
          .instance = instance.id,
          .device = device.device,
          .attached_at = now,
          .delete_on_termination = device.delete_on_termination};
}

}  // namespace

bool is_root_device(std::string_view name) {
  const auto device = guest_device(name);
  return device == "/dev/xvda" || device == "/dev/xvda1";
}

void Cloud::State::check_block_devices(LaunchSpec& spec) {
  std::set<std::string> used;
  for (BlockDevice& device : spec.block_devices) {
    const auto name = guest_device(device.device);
    if (!name) throw_mapping("Invalid device name " + device.device);
    const bool root = is_root_device(device.device);
    if (!used.insert(root ? "root" : *name).second)
      throw_mapping("The device '" + device.device +
                    "' is used in more than one block-device "
                    "mapping");
    if (root && !device.volume.from.empty())
      throw ApiError("UnsupportedOperation",
                     "A snapshot for the root device is not supported by this simulated AWS.");
    if (root && device.volume.size_gib == 0) device.volume.size_gib = kRootGib;
    device.volume = volumes.completed(device.volume);
  }
  check_tags(spec.volume_tags, {});
}

void Cloud::State::make_launch_volumes(const Instance& instance) {
  const auto& devices = instance.spec.block_devices;
  const auto given = std::ranges::find_if(devices, is_root_device, &BlockDevice::device);
  BlockDevice device;
  if (given != devices.end())
    device = *given;
  else
    device.volume = volumes.completed({.size_gib = kRootGib});
  device.device = kRootDevice;
  device.volume.availability_zone = instance.spec.availability_zone;
  device.volume.tags = instance.spec.volume_tags;
  Volume& root = volumes.add(ids.root_volume(), device.volume);
  root.root = true;
  root.state = VolumeState::kInUse;
  root.attachment = attaching(root, instance, device, now());
  volumes.touch(root);
  tagging.enter(root.id.value, root.tags);
  attached[instance.id].insert(root.id);

  for (BlockDevice more : devices) {
    if (is_root_device(more.device)) continue;
    more.volume.availability_zone = instance.spec.availability_zone;
    more.volume.tags = instance.spec.volume_tags;
    Volume& volume = volumes.make(more.volume);
    set_state(volume, VolumeState::kAvailable);
    set_state(volume, VolumeState::kInUse);
    volume_work[volume.id].attachments = 1;
    volume.attachment = attaching(volume, instance, more, now());
    attached[instance.id].insert(volume.id);
    tell_new(*volume.attachment);
  }
}

void Cloud::State::attach_launch_volumes(const Instance& instance) {
  for (const VolumeId& id : attached[instance.id]) {
    Volume& volume = volumes.find(id);
    if (!volume.root) {
      set_state(*volume.attachment, AttachmentState::kAttached);
      continue;
    }
    volume.attachment->state = AttachmentState::kAttached;
    volumes.touch(volume);
  }
}

void Cloud::State::end_root(Volume& root) {
  const bool removed = root.attachment->delete_on_termination;
  attached[root.attachment->instance].erase(root.id);
  root.attachment.reset();
  root.state = removed ? VolumeState::kDeleted : VolumeState::kAvailable;
  if (removed) root.deleted_at = now();
  volumes.touch(root);
}

void Cloud::set_delete_on_termination(const InstanceId& id, const std::string& device,
                                      bool removed) {
  State& s = *state_;
  for (const VolumeId& volume_id : s.attached[s.shown(id).id]) {
    Volume& volume = s.volumes.find(volume_id);
    const bool same = is_root_device(device)
                          ? volume.root
                          : guest_device(volume.attachment->device) == guest_device(device);
    if (!same) continue;
    volume.attachment->delete_on_termination = removed;
    s.volumes.touch(volume);
    s.tell(&Observer::changed);
    return;
  }
  throw ApiError("InvalidInstanceAttributeValue", "No device is currently mapped at " + device);
}

}  // namespace sim::cloud
