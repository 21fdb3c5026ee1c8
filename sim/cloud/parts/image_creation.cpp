#include "sim/cloud/parts/image_creation.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/cloud/error.h"
#include "sim/cloud/volume_types.h"

namespace sim::cloud {

ImageCreation::ImageCreation(Images& images, Snapshots& snapshots, Volumes& volumes,
                             Attachments& attachments, Instances& instances)
    : images_(images),
      snapshots_(snapshots),
      volumes_(volumes),
      attachments_(attachments),
      instances_(instances) {}

ImageId ImageCreation::create(const InstanceId& id, const ImageRequest& request) {
  const Instance& instance = instances_.shown(id);
  if (instance.state != InstanceState::kRunning)
    throw ApiError("IncorrectState",
                   fmt::format("Instance '{}' is '{}', not 'running' or 'stopped'", id.value,
                               name(instance.state)));
  check_tags(request.snapshot_tags, {});
  OwnImage& image = images_.add({.name = request.name,
                                 .description = request.description,
                                 .base = images_.base_of(instance.spec.image_id),
                                 .instance = id,
                                 .tags = request.tags});
  const Tags& tags = request.snapshot_tags;
  if (!request.reboot) {
    copy_volumes(image, tags);
    return image.id;
  }
  waiting_.emplace(id, &image);
  instances_.reboot_for(id, [this, &image, id, tags] {
    const auto [first, last] = waiting_.equal_range(id);
    const auto found =
        std::find_if(first, last, [&](auto& entry) { return entry.second == &image; });
    if (found == last) return;
    waiting_.erase(found);
    if (is_shown(image)) copy_volumes(image, tags);
  });
  return image.id;
}

// The root first, the others by their devices.
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

void ImageCreation::copy_volumes(OwnImage& image, const Tags& snapshot_tags) {
  const std::string description =
      fmt::format("Created by CreateImage({}) for {}", image.instance.value, image.id.value);
  try {
    for (const Volume* volume : volumes_of(image.instance)) {
      BlockDevice device{.device = volume->attachment->device,
                         .volume = spec_like(*volume),
                         .delete_on_termination = volume->attachment->delete_on_termination};
      device.volume.from = snapshots_.create(*volume, description, snapshot_tags);
      device.volume.root = volume->root;
      device.volume.tags.clear();
      image.devices.push_back(std::move(device));
    }
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
