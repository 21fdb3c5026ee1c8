// Faults of volumes and snapshots: slow, stuck, failed, damaged or duplicated.
#include <nlohmann/json.hpp>

#include "sim/faults/kinds.h"
#include "sim/faults/ongoing_faults.h"

namespace sim::faults {
namespace of_storage {
namespace {

void slow_transition(const Arguments& arguments, const Strike&, Targets& targets) {
  targets.ongoing.begin(
      SlowTransition{.transition = arguments.get<std::string>("transition"),
                     .takes = arguments.get<Duration>("takes"),
                     .lasting = {.times = arguments.get<std::int64_t>("times"), .until = {}}});
}

void fail_snapshot(const Arguments&, const Strike& strike, Targets& targets) {
  if (const cloud::Snapshot* const snapshot = struck_snapshot(strike, targets))
    targets.cloud.fail_snapshot(snapshot->id);
}

void fail_volume(const Arguments&, const Strike& strike, Targets& targets) {
  if (const cloud::Volume* const volume = struck_volume(strike, targets))
    targets.cloud.fail_volume(volume->id);
}

// The volume's content remains: fsck repairs everything.
void damage_volume(const Arguments&, const Strike& strike, Targets& targets) {
  if (const cloud::Volume* const volume = struck_volume(strike, targets))
    targets.guests.zero_first_block(volume->id);
}

// Acts like a call that was repeated because its answer was lost.
void duplicate_volume(const Arguments&, const Strike& strike, Targets& targets) {
  const cloud::Volume* const volume = struck_volume(strike, targets);
  if (!volume) return;
  cloud::VolumeSpec spec{.availability_zone = volume->availability_zone,
                         .size_gib = volume->size_gib,
                         .type = volume->type,
                         .tags = volume->tags};
  const auto from = targets.cloud.snapshots().find(volume->snapshot);
  if (from != targets.cloud.snapshots().end() && cloud::Cloud::shows(from->second))
    spec.from = from->first;
  const cloud::VolumeId made = targets.cloud.create_volume(spec);
  targets.log.append(
      events::FaultMade{.time = targets.simulation.now(), .resource_id = made.value});
}

constexpr Parameter kSlow[] = {
    {"transition", ArgumentType::kWord, "",
     "volume-creating volume-attaching volume-detaching volume-deleting snapshot-duration "
     "instance-pending boot instance-shutdown fleet-replenish spot-evaluation",
     "the transition that is slow, for any resource", true},
    {"takes", ArgumentType::kDuration, "15m", "", "duration of the transition"},
    {"times", ArgumentType::kWhole, "1", "", "number of slow transitions after the strike"},
};

constexpr Trial kSlowTrials[] = {
    {Trial::At::kCall, "CreateSnapshot", "transition: snapshot-duration, takes: 11m"},
    {Trial::At::kCall, "CreateVolume", "transition: volume-creating"},
    {Trial::At::kCall, "AttachVolume", "transition: volume-attaching"},
    {Trial::At::kCall, "DetachVolume", "transition: volume-detaching"},
    {Trial::At::kCall, "DeleteVolume", "transition: volume-deleting"},
    {Trial::At::kCall, "RunInstances", "transition: instance-pending"},
    {Trial::At::kCall, "RequestSpotFleet", "transition: instance-pending"},
    {Trial::At::kEvent, "instance.notice", "transition: instance-shutdown, takes: 5m"},
    {Trial::At::kEvent, "instance.notice", "transition: volume-detaching"},
    {Trial::At::kEvent, "instance.notice", "transition: boot, takes: 10m"}};

constexpr Trial kSnapshotTrials[] = {{Trial::At::kEvent, "snapshot.state pending", ""}};

constexpr Trial kDamageTrials[] = {{Trial::At::kEvent, "volume.state available", ""}};

constexpr Trial kVolumeTrials[] = {{Trial::At::kEvent, "volume.state creating", ""}};

constexpr Kind kKinds[] = {
    {.name = "slow",
     .does = "a state transition takes longer than usual; for example, a volume stays in state "
             "attaching",
     .remedy = "waits until the resource has the needed state, not for a fixed time. If this "
               "takes too long, it fails visibly",
     .parameters = kSlow,
     .lasts = true,
     .strike = slow_transition,
     .trials = kSlowTrials,
     .elsewhere = "transition: EACH"},
    {.name = "snapshot-error",
     .does = "a pending snapshot fails: the snapshot in the trigger's line, or else the newest",
     .remedy = "waits until the snapshot is completed before it deletes the volume, and makes "
               "another snapshot if this one failed",
     .parameters = {},
     .target = Target::kSnapshot,
     .strike = fail_snapshot,
     .trials = kSnapshotTrials},
    {.name = "volume-error",
     .does = "a volume fails: its state becomes error, at once or when it is detached. The volume "
             "is the one in the trigger's line, or else the newest data volume",
     .remedy = "checks the volume's state, and restores the newest snapshot if the volume is lost",
     .parameters = {},
     .passes = false,
     .target = Target::kVolume,
     .strike = fail_volume,
     .trials = kVolumeTrials},
    {.name = "damage-volume",
     .does =
         "zeros overwrite the first block of a volume that is not attached; its filesystem can be "
         "repaired without loss. The volume is the one in the trigger's line, or else the newest "
         "data volume",
     .remedy = "repairs the file system (fsck) and formats only volumes that it made itself and "
               "never used",
     .parameters = {},
     .passes = false,
     .target = Target::kVolume,
     .needs = guest::GuestFault::What::kDamageVolume,
     .strike = damage_volume,
     .trials = kDamageTrials},
    {.name = "duplicate-volume",
     .does = "a copy of a volume appears, with the same tags, snapshot, size and zone. The volume "
             "is the one in the trigger's line, or else the newest data volume",
     .remedy =
         "expects several volumes with its tags, and chooses the one with the newest checkpoint",
     .parameters = {},
     .target = Target::kVolume,
     .strike = duplicate_volume,
     .trials = kVolumeTrials},
};

}  // namespace
}  // namespace of_storage

std::span<const Kind> storage_faults() { return of_storage::kKinds; }

}  // namespace sim::faults
