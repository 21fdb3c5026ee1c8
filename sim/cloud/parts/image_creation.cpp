#include "sim/cloud/parts/image_creation.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/cloud/error.h"
#include "sim/cloud/host.h"
#include "sim/cloud/volume_types.h"

namespace sim::cloud {
namespace {

bool is_among(const std::vector<std::string>& devices, const std::string& device) {
  return std::ranges::any_of(devices,
                             [&](const std::string& one) { return is_same_device(one, device); });
}

const BlockDevice* find_device(const std::vector<BlockDevice>& devices, const std::string& device) {
  const auto found = std::ranges::find_if(
      devices, [&](const BlockDevice& one) { return is_same_device(one.device, device); });
  return found == devices.end() ? nullptr : &*found;
}

}  // namespace

ImageCreation::ImageCreation(Images& images, Snapshots& snapshots, Volumes& volumes,
                             Attachments& attachments, Instances& instances)
    : images_(images),
      snapshots_(snapshots),
      volumes_(volumes),
      attachments_(attachments),
      instances_(instances) {}

ImageId ImageCreation::create(const InstanceId& id, const ImageRequest& request) {
  const Instance& instance = instances_.shown(id);
  const bool stopped = instance.state == InstanceState::kStopped;
  if (instance.state != InstanceState::kRunning && !stopped)
    throw ApiError("IncorrectState",
                   fmt::format("Instance '{}' is '{}', not 'running' or 'stopped'", id.value,
                               name(instance.state)));
  check_tags(request.snapshot_tags, {});
  check_devices(id, request);
  OwnImage made;
  made.name = request.name;
  made.description = request.description;
  made.base = images_.base_of(instance.spec.image_id);
  made.instance = id;
  made.tags = request.tags;
  OwnImage& image = images_.add(std::move(made));
  if (!request.reboot || stopped) {
    copy_volumes(image, request);
    return image.id;
  }
  waiting_.emplace(id, &image);
  instances_.reboot_for(id, [this, &image, id, request] {
    const auto [first, last] = waiting_.equal_range(id);
    const auto found =
        std::find_if(first, last, [&](auto& entry) { return entry.second == &image; });
    if (found == last) return;
    waiting_.erase(found);
    if (is_shown(image)) copy_volumes(image, request);
  });
  return image.id;
}

// Checks the block devices of the request. A device that the instance lacks needs a size or a
// snapshot.
void ImageCreation::check_devices(const InstanceId& id, const ImageRequest& request) {
  const auto volumes = volumes_of(id);
  for (const BlockDevice& device : request.devices) {
    const bool attached = std::ranges::any_of(volumes, [&](const Volume* volume) {
      return is_same_device(volume->attachment->device, device.device);
    });
    if (!attached && device.volume.size_gib == 0 && device.volume.from.empty())
      throw ApiError("MissingParameter",
                     "The request must contain the parameter size or snapshotId");
  }
}

// The instance's volumes: the root, then the others sorted by device.
std::vector<const Volume*> ImageCreation::volumes_of(const InstanceId& id) {
  std::vector<const Volume*> volumes;
  const auto found = attachments_.index().find(id);
  if (found == attachments_.index().end()) return volumes;
  for (const VolumeId& volume : found->second)
    if (volumes_.find(volume).attachment->state == AttachmentState::kAttached)
      volumes.push_back(&volumes_.find(volume));
  std::ranges::sort(volumes, {}, [](const Volume* volume) {
    return std::pair(!volume->root, volume->attachment->device);
  });
  return volumes;
}

void ImageCreation::copy_volumes(OwnImage& image, const ImageRequest& request) {
  const std::string description =
      fmt::format("Created by CreateImage({}) for {}", image.instance.value, image.id.value);
  try {
    for (const Volume* volume : volumes_of(image.instance)) {
      const std::string& name = volume->attachment->device;
      if (is_among(request.left_out, name)) continue;
      BlockDevice device{.device = name,
                         .volume = spec_like(*volume),
                         .delete_on_termination = volume->attachment->delete_on_termination};
      if (const BlockDevice* mapped = find_device(request.devices, name))
        device.delete_on_termination = mapped->delete_on_termination;
      device.volume.from = snapshots_.create(*volume, description, request.snapshot_tags);
      device.volume.root = volume->root;
      device.volume.tags.clear();
      image.devices.push_back(std::move(device));
    }
    for (const BlockDevice& added : request.devices)
      if (!find_device(image.devices, added.device)) image.devices.push_back(added);
  } catch (const ApiError& error) {
    return images_.fail(image, error.what());
  }
  images_.complete_later(image);
}

void ImageCreation::shutting_down(const Instance& instance, Ended) {
  const auto [first, last] = waiting_.equal_range(instance.id);
  for (auto at = first; at != last; ++at)
    if (is_shown(*at->second))
      images_.fail(*at->second, "The instance was terminated before its volumes were copied");
  waiting_.erase(first, last);
}

}  // namespace sim::cloud
