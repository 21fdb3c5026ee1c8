#include "sim/cloud/parts/volumes.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/cloud/error.h"
#include "sim/cloud/parts/keys.h"
#include "sim/cloud/parts/lookup.h"
#include "sim/cloud/volume_types.h"

namespace sim::cloud {
namespace {

void take_from_snapshot(VolumeSpec& spec, const Snapshot& snapshot) {
  if (snapshot.state != SnapshotState::kCompleted)
    throw ApiError("IncorrectState", fmt::format("Snapshot is in invalid state - {}: '{}'",
                                                 name(snapshot.state), snapshot.id.value));
  if (spec.size_gib == 0) spec.size_gib = snapshot.volume_size_gib;
  if (spec.size_gib > 0 && spec.size_gib < snapshot.volume_size_gib)
    throw ApiError("InvalidParameterValue",
                   fmt::format("Volume of {}GiB is smaller than snapshot '{}', expected size>= {}",
                               spec.size_gib, snapshot.id.value, snapshot.volume_size_gib));
  if (!snapshot.encrypted) return;
  spec.encrypted = true;
  if (spec.kms_key_id.empty()) spec.kms_key_id = snapshot.kms_key_id;
}

}  // namespace

bool has_usable_keys(const Config& config, const LaunchSpec& spec) {
  return std::ranges::all_of(spec.block_devices, [&](const BlockDevice& device) {
    return !device.volume.encrypted || is_usable_key(config, device.volume.kms_key_id);
  });
}

Volumes::Volumes(Context& context, Host& host, Tagging& tagging, Bill& bill,
                 const Snapshots& snapshots)
    : context_(context), host_(host), tagging_(tagging), bill_(bill), snapshots_(snapshots) {
  tagging.add({.id_prefix = "vol-",
               .tags = [this](const std::string& id) -> Tags& { return shown(VolumeId{id}).tags; },
               .changes = [this](const std::string& id) { touch(find(VolumeId{id})); }});
}

Volume& Volumes::find(const VolumeId& id) { return look_up(table_, id); }

Volume& Volumes::shown(const VolumeId& id) {
  Volume& volume = find(id);
  if (!is_shown(volume)) throw not_found(id);
  return volume;
}

void Volumes::set_state(Volume& volume, VolumeState to) {
  touch(volume);
  context_.set_state(volume, to);
}

void Volumes::set_auto_enable_io(const VolumeId& id, bool enabled) {
  Volume& volume = shown(id);
  touch(volume);
  volume.auto_enable_io = enabled;
  context_.tell(&Observer::changed);
}

VolumeSpec Volumes::completed(const VolumeSpec& asked) const {
  VolumeSpec spec = asked;
  if (spec.type.empty()) spec.type = "gp2";
  volume_type(spec.type);
  if (!spec.kms_key_id.empty() && !spec.encrypted)
    throw ApiError("InvalidParameterDependency",
                   "The parameter KmsKeyId requires the parameter Encrypted to be set.");
  if (!spec.from.empty()) {
    const Snapshot& snapshot = snapshots_.shown(spec.from);
    snapshots_.check_use(snapshot, spec.root);
    take_from_snapshot(spec, snapshot);
  } else if (spec.size_gib == 0) {
    throw ApiError("MissingParameter", "The request must contain the parameter size/snapshotId");
  }
  check_and_complete(spec);
  if (spec.encrypted) spec.kms_key_id = key_arn(context_.config, context_.streams, spec.kms_key_id);
  check_tags(spec.tags, {});
  return spec;
}

Volume& Volumes::add(const VolumeId& id, const VolumeSpec& spec) {
  Volume& volume = table_[id];
  volume = {.id = id,
            .availability_zone = spec.availability_zone,
            .size_gib = spec.size_gib,
            .type = spec.type,
            .iops = spec.iops,
            .throughput = spec.throughput,
            .snapshot = spec.from,
            .encrypted = spec.encrypted,
            .kms_key_id = spec.kms_key_id,
            .created_at = context_.now(),
            .tags = spec.tags,
            .number = table_.size() - 1};
  return volume;
}

Volume& Volumes::make(const VolumeSpec& spec) {
  Volume& volume = add(context_.ids.volume(), spec);
  touch(volume);
  context_.tell_new(volume);
  tagging_.announce(volume.id.value, spec.tags);
  host_.create_disk(volume);
  return volume;
}

VolumeId Volumes::create(const VolumeSpec& asked) {
  const auto& zones = context_.config.availability_zones;
  if (std::ranges::find(zones, asked.availability_zone) == zones.end())
    throw ApiError("InvalidZone.NotFound",
                   "The zone '" + asked.availability_zone + "' does not exist.");
  Volume& volume = make(completed(asked));
  context_.simulation.after(
      context_.draw(context_.config.durations.volume_creating, "volume-creating", volume.id.value),
      [this, &volume] { finish_creating(volume); });
  return volume.id;
}

void Volumes::finish_creating(Volume& volume) {
  if (volume.state != VolumeState::kCreating) return;
  if (!volume.encrypted || is_usable_key(context_.config, volume.kms_key_id))
    return set_state(volume, VolumeState::kAvailable);
  // EC2 deletes the volume and returns no error.
  volume.deleted_at = context_.now();
  set_state(volume, VolumeState::kDeleted);
  bill_.settle(bill_.of(volume));
  host_.delete_disk(volume.id);
}

void Volumes::remove(Volume& volume) {
  if (volume.attachment)
    throw ApiError("VolumeInUse", "Volume " + volume.id.value + " is currently attached to " +
                                      volume.attachment->instance.value);
  if (volume.state != VolumeState::kAvailable && volume.state != VolumeState::kError)
    throw ApiError("IncorrectState", fmt::format("The volume '{}' is '{}', not 'available'",
                                                 volume.id.value, name(volume.state)));
  if (volume.root) {
    volume.deleted_at = context_.now();
    volume.state = VolumeState::kDeleted;
    touch(volume);
    host_.delete_disk(volume.id);
    return context_.tell(&Observer::root_volume, volume, InstanceId{}, "deleted");
  }
  set_state(volume, VolumeState::kDeleting);
  bill_.settle(bill_.of(volume));
  context_.simulation.after(
      context_.draw(context_.config.durations.volume_deleting, "volume-deleting", volume.id.value),
      [this, &volume] {
        volume.deleted_at = context_.now();
        set_state(volume, VolumeState::kDeleted);
        host_.delete_disk(volume.id);
      });
}

void Volumes::check_unused(const SnapshotId& snapshot) const {
  for (const auto& [id, volume] : table_)
    if (volume.snapshot == snapshot && volume.state == VolumeState::kCreating)
      throw ApiError("InvalidSnapshot.InUse",
                     "The snapshot " + snapshot.value + " is currently in use by " + id.value);
}

Bill::Items Volumes::open_items() const {
  Bill::Items items;
  for (const auto& [id, volume] : table_)
    if (volume.state != VolumeState::kDeleting && volume.state != VolumeState::kDeleted)
      for (LineItem& item : bill_.of(volume)) items.push_back(std::move(item));
  return items;
}

}  // namespace sim::cloud
