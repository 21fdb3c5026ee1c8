#include "sim/cloud/parts/modifications.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/cloud/error.h"
#include "sim/cloud/volume_types.h"

namespace sim::cloud {
namespace {

using std::chrono::hours;

// EC2 API reference, ModifyVolume: four modifications in a rolling period of 24 hours. Until
// January 2026 it was one in six hours.
constexpr int kMostADay = 4;
constexpr Duration kLeastOptimizing = 60s;  // unless a TiB takes less
constexpr int kGibOfTib = 1024;

Duration optimizing(const Durations& durations, int size_gib) {
  const Duration tib = durations.volume_optimizing;
  return std::max(std::min(kLeastOptimizing, tib), tib / kGibOfTib * size_gib);
}

void check_rate(const Volume& volume, Time now) {
  const auto recent =
      std::ranges::count_if(volume.modifications, [&](const VolumeModification& modification) {
        return modification.started_at > now - hours{24};
      });
  if (recent >= kMostADay)
    throw ApiError("VolumeModificationRateExceeded",
                   fmt::format("You've reached the maximum modification rate per volume limit: "
                               "{} modifications of {} in 24 hours.",
                               kMostADay, volume.id.value));
}

void check_state(const Volume& volume) {
  if (volume.state != VolumeState::kAvailable && volume.state != VolumeState::kInUse)
    throw ApiError("IncorrectState",
                   fmt::format("The volume '{}' is '{}', not 'available' or 'in-use'",
                               volume.id.value, name(volume.state)));
  if (volume.modifications.empty()) return;
  const ModificationState state = volume.modifications.back().state;
  if (state != ModificationState::kCompleted)
    throw ApiError("IncorrectModificationState",
                   fmt::format("Cannot modify volume in modification state {}", name(state)));
}

// EC2 API reference, ModifyVolume: IOPS and throughput are kept if the type stays. Otherwise the
// default is 3,000 IOPS and, for gp3, 125 MiB/s.
VolumeSettings target_of(const Volume& volume, const VolumeChange& change) {
  VolumeSpec spec = spec_like(volume);
  if (change.size_gib) spec.size_gib = *change.size_gib;
  if (spec.size_gib < volume.size_gib)
    throw ApiError("InvalidParameterValue", "New size cannot be smaller than existing size");
  if (change.type && *change.type != volume.type) {
    spec.type = *change.type;
    spec.iops = volume_type(spec.type).most_iops > 0 ? kGp3Iops : 0;
    spec.throughput = 0;
  }
  if (volume.root && (spec.type == "st1" || spec.type == "sc1"))
    throw ApiError("InvalidParameterValue",
                   fmt::format("A root volume cannot have the type {}.", spec.type));
  if (change.iops) spec.iops = *change.iops;
  if (change.throughput) spec.throughput = *change.throughput;
  check_and_complete(spec);
  return {spec.size_gib, spec.type, spec.iops, spec.throughput};
}

void apply(const VolumeSettings& settings, Volume& volume) {
  volume.size_gib = settings.size_gib;
  volume.type = settings.type;
  volume.iops = settings.iops;
  volume.throughput = settings.throughput;
}

}  // namespace

const VolumeModification& Modifications::begin(const VolumeId& id, const VolumeChange& change) {
  Volume& volume = volumes_.shown(id);
  check_state(volume);
  check_rate(volume, context_.now());
  const VolumeSettings target = target_of(volume, change);
  bill_.settle(bill_.of(volume));
  volumes_.touch(volume);
  volume.modifications.push_back(
      {.original = {volume.size_gib, volume.type, volume.iops, volume.throughput},
       .target = target,
       .started_at = context_.now(),
       .duration = optimizing(context_.config.durations, target.size_gib)});
  context_.tell(&Observer::changed);
  context_.tell(&Observer::volume_modification, volume);
  const std::string stream = fmt::format("{}/{}", id.value, volume.modifications.size());
  context_.simulation.after(
      context_.draw(context_.config.durations.volume_modifying, "volume-modifying", stream),
      [this, &volume] { optimize(volume); });
  return volume.modifications.back();
}

void Modifications::optimize(Volume& volume) {
  if (volume.deleted_at || volume.state == VolumeState::kDeleting) return;
  VolumeModification& modification = volume.modifications.back();
  volumes_.touch(volume);
  modification.state = ModificationState::kOptimizing;
  modification.optimizing_at = context_.now();
  Volume as_fast_as_before = volume;
  as_fast_as_before.size_gib = modification.target.size_gib;
  apply(modification.target, volume);
  context_.tell(&Observer::changed);
  context_.tell(&Observer::volume_modification, volume);
  if (!volume.root) host_.change_disk(as_fast_as_before);
  context_.simulation.after(modification.duration, [this, &volume] { complete(volume); });
}

void Modifications::complete(Volume& volume) {
  if (volume.deleted_at || volume.state == VolumeState::kDeleting) return;
  volumes_.touch(volume);
  volume.modifications.back().state = ModificationState::kCompleted;
  volume.modifications.back().completed_at = context_.now();
  context_.tell(&Observer::changed);
  context_.tell(&Observer::volume_modification, volume);
  if (!volume.root) host_.change_disk(volume);
}

}  // namespace sim::cloud
