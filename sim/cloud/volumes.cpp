// EBS volumes: made, deleted. How they get into machines is in attachments.cpp.
#include <fmt/format.h>

#include <algorithm>

#include "sim/cloud/state.h"
#include "sim/cloud/volume_types.h"

namespace sim::cloud {
namespace {

constexpr std::string_view kOwnKeyAlias = "alias/aws/ebs";

// EC2 takes any name, and looks for the key later (EC2 API reference, CreateVolume, KmsKeyId).
std::string key_arn(const Config& config, const Streams& streams, const std::string& named) {
  if (named.starts_with("arn:")) return named;
  const std::string prefix = fmt::format("arn:aws:kms:{}:{}:", config.region, config.account_id);
  if (!named.empty() && named != kOwnKeyAlias)
    return prefix + (named.starts_with("alias/") ? "" : "key/") + named;
  Stream stream = streams.stream("kms-key", kOwnKeyAlias);
  const std::uint64_t a = stream.next(), b = stream.next();
  return fmt::format("{}key/{:08x}-{:04x}-4{:03x}-a{:03x}-{:012x}", prefix, a >> 32,
                     a >> 16 & 0xffff, a & 0xfff, b >> 48 & 0xfff, b & 0xffff'ffff'ffff);
}

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

// "1234abcd-12ab-34cd-56ef-1234567890ab", "mrk-" and 32 hexadecimal digits of a key for several
// regions (KMS Developer Guide, "Key identifiers").
bool is_key_id(std::string_view id) {
  constexpr std::string_view kUuid = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";
  constexpr std::string_view kSeveralRegions = "mrk-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx";
  const auto fits = [&](std::string_view pattern) {
    return std::ranges::equal(id, pattern, [](char found, char expected) {
      if (expected != 'x') return found == expected;
      return std::string_view("0123456789abcdef").find(found) != std::string_view::npos;
    });
  };
  return fits(kUuid) || fits(kSeveralRegions);
}

}  // namespace

bool is_usable_key(const Config& config, std::string_view arn) {
  const std::string prefix = fmt::format("arn:aws:kms:{}:", config.region);
  if (!arn.starts_with(prefix)) return false;
  const auto account_end = arn.find(':', prefix.size());
  if (account_end == arn.npos) return false;
  const std::string_view key = arn.substr(account_end + 1);
  if (key.starts_with("alias/")) return key.size() > std::string_view("alias/").size();
  return key.starts_with("key/") && is_key_id(key.substr(std::string_view("key/").size()));
}

VolumeSpec Cloud::State::completed(const VolumeSpec& asked) {
  VolumeSpec spec = asked;
  if (spec.type.empty()) spec.type = "gp2";
  volume_type(spec.type);
  if (!spec.kms_key_id.empty() && !spec.encrypted)
    throw ApiError("InvalidParameterDependency",
                   "The parameter KmsKeyId requires the parameter Encrypted to be set.");
  if (!spec.from.empty())
    take_from_snapshot(spec, shown(spec.from));
  else if (spec.size_gib == 0)
    throw ApiError("MissingParameter", "The request must contain the parameter size/snapshotId");
  cloud::check_and_complete(spec);
  if (spec.encrypted) spec.kms_key_id = key_arn(config, streams, spec.kms_key_id);
  check_tags(spec.tags, {});
  return spec;
}

Volume& Cloud::State::new_volume(const VolumeId& id, const VolumeSpec& spec) {
  Volume& volume = volumes[id];
  volume = {.id = id,
            .availability_zone = spec.availability_zone,
            .size_gib = spec.size_gib,
            .type = spec.type,
            .iops = spec.iops,
            .throughput = spec.throughput,
            .snapshot = spec.from,
            .encrypted = spec.encrypted,
            .kms_key_id = spec.kms_key_id,
            .created_at = now(),
            .tags = spec.tags,
            .number = volumes.size() - 1};
  return volume;
}

Volume& Cloud::State::make_volume(const VolumeSpec& spec) {
  Volume& volume = new_volume(ids.volume(), spec);
  tell_new(volume);
  tell_tags(volume.id.value, spec.tags);
  host.create_disk(volume);
  return volume;
}

VolumeId Cloud::create_volume(const VolumeSpec& asked) {
  State& s = *state_;
  const auto& zones = s.config.availability_zones;
  if (std::ranges::find(zones, asked.availability_zone) == zones.end())
    throw ApiError("InvalidZone.NotFound",
                   "The zone '" + asked.availability_zone + "' does not exist.");
  Volume& volume = s.make_volume(s.completed(asked));
  s.simulation.after(s.draw(s.config.durations.volume_creating, "volume-creating", volume.id.value),
                     [&s, &volume] {
                       if (volume.state != VolumeState::kCreating) return;
                       if (volume.encrypted && !is_usable_key(s.config, volume.kms_key_id))
                         return s.drop_volume(volume);
                       s.set_state(volume, VolumeState::kAvailable);
                     });
  return volume.id;
}

// EC2 deletes a volume without a word when its key turns out to be unusable.
void Cloud::State::drop_volume(Volume& volume) {
  volume.deleted_at = now();
  set_state(volume, VolumeState::kDeleted);
  bill(volume);
  host.delete_disk(volume.id);
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
  if (volume.root) {
    volume.deleted_at = now();
    volume.state = VolumeState::kDeleted;
    return touch(volume);
  }
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
