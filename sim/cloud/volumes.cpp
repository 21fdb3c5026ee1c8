// EBS volumes: made, deleted. How they get into machines is in attachments.cpp.
#include <fmt/format.h>

#include <algorithm>

#include "sim/cloud/state.h"

namespace sim::cloud {
namespace {

constexpr int kLargestGib = 16384;

// gp2: 3 an GiB, at least 100, at most 16 000; gp3: 3 000 (EBS user guide, "Amazon EBS volume
// types").
int baseline_iops(const std::string& type, int size_gib) {
  return type == "gp3" ? 3000 : std::clamp(3 * size_gib, 100, 16000);
}

}  // namespace

VolumeId Cloud::create_volume(const std::string& availability_zone, int size_gib,
                              const std::string& type, const SnapshotId& from, const Tags& tags) {
  State& s = *state_;
  const auto& zones = s.config.availability_zones;
  if (std::ranges::find(zones, availability_zone) == zones.end())
    throw ApiError("InvalidZone.NotFound", "The zone '" + availability_zone + "' does not exist.");
  const std::string volume_type = type.empty() ? "gp2" : type;
  if (volume_type != "gp2" && volume_type != "gp3")
    throw ApiError("UnknownVolumeType", "Invalid volume type: " + type);
  int size = size_gib;
  if (!from.empty()) {
    const Snapshot& snapshot = s.shown(from);
    if (snapshot.state != SnapshotState::kCompleted)
      throw ApiError("IncorrectState", fmt::format("Snapshot is in invalid state - {}: '{}'",
                                                   name(snapshot.state), from.value));
    if (size == 0) size = snapshot.volume_size_gib;
    if (size > 0 && size < snapshot.volume_size_gib)
      throw ApiError(
          "InvalidParameterValue",
          fmt::format("Volume of {}GiB is smaller than snapshot '{}', expected size>= {}", size,
                      from.value, snapshot.volume_size_gib));
  } else if (size == 0) {
    throw ApiError("MissingParameter", "The request must contain the parameter size/snapshotId");
  }
  if (size < 1 || size > kLargestGib)
    throw ApiError("InvalidParameterValue",
                   fmt::format("Volume of {}GiB: {} volumes have 1 to {} GiB", size, volume_type,
                               kLargestGib));
  s.check_tags(tags, {});

  const VolumeId id = s.ids.volume();
  Volume& volume = s.volumes[id];
  volume = {.id = id,
            .availability_zone = availability_zone,
            .size_gib = size,
            .type = volume_type,
            .iops = baseline_iops(volume_type, size),
            .snapshot = from,
            .created_at = s.now(),
            .tags = tags,
            .number = s.volumes.size() - 1};
  s.tell_new(volume);
  s.tell_tags(id.value, tags);
  s.host.create_disk(volume);
  s.simulation.after(s.draw(s.config.durations.volume_creating, "volume-creating", id.value),
                     [&s, &volume] { s.set_state(volume, VolumeState::kAvailable); });
  return id;
}

// Charged up to the call, as the customer can use it no longer; it stays listed as deleting for a
// while.
void Cloud::State::delete_volume(Volume& volume) {
  if (volume.attachment)
    throw ApiError("VolumeInUse", "Volume " + volume.id.value + " is currently attached to " +
                                      volume.attachment->instance.value);
  if (volume.state != VolumeState::kAvailable && volume.state != VolumeState::kError)
    throw ApiError("IncorrectState", fmt::format("The volume '{}' is '{}', not 'available'",
                                                 volume.id.value, name(volume.state)));
  set_state(volume, VolumeState::kDeleting);
  bill(volume);
  simulation.after(draw(config.durations.volume_deleting, "volume-deleting", volume.id.value),
                   [this, &volume] {
                     volume.deleted_at = now();
                     set_state(volume, VolumeState::kDeleted);
                     host.delete_disk(volume.id);
                   });
}

void Cloud::delete_volume(const VolumeId& id) { state_->delete_volume(state_->shown(id)); }

}  // namespace sim::cloud
