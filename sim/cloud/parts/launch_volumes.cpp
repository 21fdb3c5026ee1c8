// The volumes that are launched with an instance: its root, and the volumes of block device
// mappings.
#include <algorithm>

#include "sim/cloud/error.h"
#include "sim/cloud/parts/attachments.h"
#include "sim/cloud/volume_types.h"

namespace sim::cloud {
namespace {
constexpr const char* kRootDevice = "/dev/sda1";
}  // namespace

void Attachments::launched(const Instance& instance) {
  if (!instance.spec.managed_by.empty()) return;
  make_root(instance);
  for (BlockDevice more : instance.spec.block_devices) {
    if (is_root_device(more.device)) continue;
    more.volume.availability_zone = instance.spec.availability_zone;
    more.volume.tags = instance.spec.volume_tags;
    Volume& volume = volumes_.make(more.volume);
    volumes_.set_state(volume, VolumeState::kAvailable);
    volumes_.set_state(volume, VolumeState::kInUse);
    work_[volume.id].attachments = 1;
    put_in(volume, instance, more);
    volumes_.touch(volume);
    context_.tell_new(*volume.attachment);
  }
}

void Attachments::make_root(const Instance& instance) {
  const auto& devices = instance.spec.block_devices;
  const auto given = std::ranges::find_if(devices, is_root_device, &BlockDevice::device);
  BlockDevice device;
  if (given != devices.end())
    device = *given;
  else
    device.volume = volumes_.completed({.size_gib = kRootGib});
  device.device = kRootDevice;
  device.volume.availability_zone = instance.spec.availability_zone;
  device.volume.tags = instance.spec.volume_tags;
  Volume& root = volumes_.add(context_.ids.root_volume(), device.volume);
  root.root = true;
  root.base_image =
      instance.spec.base_image.empty() ? instance.spec.image_id : instance.spec.base_image;
  root.state = VolumeState::kInUse;
  put_in(root, instance, device);
  volumes_.touch(root);
  tagging_.enter(root.id.value, root.tags);
  if (!root.snapshot.empty()) context_.tell(&Observer::root_volume, root, instance.id, "restored");
}

void Attachments::running(const Instance& instance) {
  for (const VolumeId& id : index_[instance.id]) {
    Volume& volume = volumes_.find(id);
    if (!volume.root) {
      set_state(volume, AttachmentState::kAttached);
      continue;
    }
    volume.attachment->state = AttachmentState::kAttached;
    volumes_.touch(volume);
  }
}

void Attachments::end_root(Volume& root) {
  const bool removed = root.attachment->delete_on_termination;
  index_[root.attachment->instance].erase(root.id);
  root.attachment.reset();
  root.state = removed ? VolumeState::kDeleted : VolumeState::kAvailable;
  if (removed) root.deleted_at = context_.now();
  volumes_.touch(root);
}

void Attachments::set_delete_on_termination(const InstanceId& id, const std::string& device,
                                            bool removed) {
  for (const VolumeId& volume_id : index_[instances_.shown(id).id]) {
    Volume& volume = volumes_.find(volume_id);
    const bool same = is_root_device(device)
                          ? volume.root
                          : guest_device(volume.attachment->device) == guest_device(device);
    if (!same) continue;
    volume.attachment->delete_on_termination = removed;
    volumes_.touch(volume);
    context_.tell(&Observer::changed);
    return;
  }
  throw ApiError("InvalidInstanceAttributeValue", "No device is currently mapped at " + device);
}

}  // namespace sim::cloud
