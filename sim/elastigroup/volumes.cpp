// The data volumes of a stateful instance: attached again, copied to snapshots, deleted.
#include <fmt/format.h>

#include <algorithm>

#include "sim/cloud/volume_types.h"
#include "sim/elastigroup/work.h"

namespace sim::elastigroup {
namespace {

using cloud::AttachmentState;
using cloud::SnapshotId;
using cloud::SnapshotState;
using cloud::VolumeId;
using cloud::VolumeState;
using enum StatefulState;

constexpr const char* kDescription = "Created by Spotinst for a stateful instance";

bool is_gone(const cloud::Volume& volume) {
  return volume.state == VolumeState::kDeleting || volume.state == VolumeState::kDeleted ||
         volume.state == VolumeState::kError;
}

}  // namespace

// A snapshot that the user deletes, or that fails, is not waited for.
bool Elastigroups::is_pending(const SnapshotId& id) const {
  return !id.empty() && !cloud_.snapshot(id).deleted_at &&
         cloud_.snapshot(id).state == SnapshotState::kPending;
}

void Elastigroups::track(Work& work, const VolumeId& id) { of_volume_[id] = &work; }

// ---- A stateful instance keeps the volumes of its launch, and volumes that the user attaches (the
// vendor's guide, "Reattach": "or attached via the AWS console").

void Elastigroups::enter_device(Work& work, const cloud::Attachment& attachment) {
  const cloud::Volume& volume = cloud_.volume(attachment.volume);
  const Persistence& persistence = work.persistence();
  if (!(volume.root ? persistence.root_device : persistence.block_devices)) return;
  auto& devices = work.member.devices;
  if (std::ranges::find(devices, volume.id, &Device::volume) != devices.end()) return;
  track(work, volume.id);
  const auto known = std::ranges::find_if(devices, [&](const Device& device) {
    return device.name == attachment.device && device.volume.empty();
  });
  if (known == devices.end()) {
    devices.push_back({.name = attachment.device,
                       .root = volume.root,
                       .volume = volume.id,
                       .like = cloud::spec_like(volume)});
    note(*work.group, "INFO",
         fmt::format("Volume {} at {} of instance {} is persisted.", volume.id.value,
                     attachment.device, attachment.instance.value),
         volume.id.value);
    return;
  }
  known->volume = volume.id;
  // Scripts find their volume by its tags. The vendor does not document whether a new volume has
  // them: here it does.
  if (known->like.tags.empty()) return;
  attempt(work, "tag volume " + volume.id.value,
          [&] { cloud_.create_tags({volume.id.value}, known->like.tags); });
}

void Elastigroups::leave_device(Work& work, const cloud::Attachment& attachment) {
  if (cloud_.instance(attachment.instance).shutting_down_at) return;
  if (std::erase_if(work.member.devices,
                    [&](const Device& device) { return device.volume == attachment.volume; }) > 0)
    note(*work.group, "INFO",
         fmt::format("Volume {} is detached from instance {} and no longer persisted.",
                     attachment.volume.value, attachment.instance.value),
         attachment.volume.value);
}

// ---- reattach

// True when all are attached to the current instance.
bool Elastigroups::attach_all(Work& work) {
  const Member& member = work.member;
  bool all = true;
  for (const Device& device : member.devices) {
    if (device.root) continue;
    const cloud::Volume& volume = cloud_.volume(device.volume);
    if (volume.attachment) {
      all &= volume.attachment->instance == member.instance &&
             volume.attachment->state == AttachmentState::kAttached;
      continue;
    }
    all = false;
    const bool attached = volume.state == VolumeState::kAvailable &&
                          attempt(work, "attach volume " + volume.id.value, [&] {
                            cloud_.attach_volume(volume.id, member.instance, device.name);
                          });
    if (attached || volume.state == VolumeState::kCreating) continue;
    note(*work.group, "ERROR",
         fmt::format("Volume {} of stateful instance {} cannot be attached.", volume.id.value,
                     member.id),
         volume.id.value);
    set_state(work, kError);
    return false;
  }
  return all;
}

// ---- onLaunch

// The next launch makes its volumes from the latest snapshots, so later writes are lost. A volume
// without any snapshot is kept for a final copy.
void Elastigroups::put_aside(Work& work) {
  for (Device& device : work.member.devices) {
    if (!work.copies(device) || device.volume.empty() || device.snapshot.empty()) continue;
    device.like = cloud::spec_like(cloud_.volume(device.volume));
    work.member.obsolete.insert(std::exchange(device.volume, {}));
  }
}

// Copies each remaining volume, once its instance has ended; true when all are copied.
bool Elastigroups::final_copies_made(Work& work) {
  auto& devices = work.member.devices;
  std::erase_if(devices, [&](const Device& device) {
    if (!work.copies(device) || device.volume.empty() || !is_gone(cloud_.volume(device.volume)))
      return false;
    note(*work.group, "ERROR",
         fmt::format("Volume {} is lost before it was copied.", device.volume.value),
         device.volume.value);
    return device.snapshot.empty();
  });
  bool all = true;
  for (Device& device : devices) {
    if (!work.copies(device) || device.volume.empty()) continue;
    const cloud::Volume& volume = cloud_.volume(device.volume);
    if (is_gone(volume)) {  // the snapshot before it stands in
      work.member.obsolete.insert(std::exchange(device.volume, {}));
      continue;
    }
    all = false;
    if (volume.state != VolumeState::kAvailable || is_pending(device.final_copy)) continue;
    device.like = cloud::spec_like(volume);
    attempt(work, "copy volume " + volume.id.value, [&] {
      device.final_copy = cloud_.create_snapshot(volume.id, kDescription, {});
      of_snapshot_[device.final_copy] = &work;
    });
  }
  return all;
}

void Elastigroups::back_up(Work& work) {
  work.backup = simulation_.after(knobs_.backup_interval, [this, &work] { back_up(work); });
  for (Device& device : work.member.devices) {
    if (!work.copies(device) || device.volume.empty() || is_pending(device.backup)) continue;
    attempt(work, "back up volume " + device.volume.value, [&] {
      device.backup = cloud_.create_snapshot(device.volume, kDescription, {});
      of_snapshot_[device.backup] = &work;
    });
  }
}

void Elastigroups::snapshot_state(const cloud::Snapshot& snapshot,
                                  std::optional<SnapshotState> /*from*/) {
  const auto found = of_snapshot_.find(snapshot.id);
  if (found == of_snapshot_.end() || snapshot.state == SnapshotState::kPending) return;
  Work& work = *found->second;
  for (Device& device : work.member.devices) {
    const bool is_final = device.final_copy == snapshot.id;
    if (!is_final && device.backup != snapshot.id) continue;
    // Not `(is_final ? … : …) = {}`, of which GCC 12 makes a string without a buffer.
    if (is_final)
      device.final_copy = {};
    else
      device.backup = {};
    if (snapshot.state != SnapshotState::kCompleted) continue;
    // "Only the latest snapshot is kept for each volume" (the vendor's guide).
    const SnapshotId before = std::exchange(device.snapshot, snapshot.id);
    if (!before.empty()) work.member.obsolete_snapshots.insert(before);
    drop_image(work, device);
    if (is_final && device.volume == snapshot.volume)
      work.member.obsolete.insert(std::exchange(device.volume, {}));
  }
  wake(work);
}

// ---- deleting

void Elastigroups::drop_obsolete(Work& work) {
  for (const SnapshotId& id : std::exchange(work.member.obsolete_snapshots, {}))
    attempt(work, "delete snapshot " + id.value, [&] { cloud_.delete_snapshot(id); });
  auto& volumes = work.member.obsolete;
  for (auto it = volumes.begin(); it != volumes.end();) {
    const cloud::Volume& volume = cloud_.volume(*it);
    const bool free = !volume.attachment && volume.state != VolumeState::kCreating;
    if (!free) {
      ++it;
      continue;
    }
    if (volume.state == VolumeState::kAvailable || volume.state == VolumeState::kError)
      attempt(work, "delete volume " + it->value, [&] { cloud_.delete_volume(volume.id); });
    it = volumes.erase(it);
  }
}

// Volumes and snapshots that deallocation does not delete stay. The vendor deletes them after four
// days, which this simulated service leaves out.
void Elastigroups::delete_kept(Work& work) {
  Member& member = work.member;
  for (Device& device : member.devices) {
    if (member.deallocation.images) drop_image(work, device);
    if (member.deallocation.volumes && !device.volume.empty())
      member.obsolete.insert(device.volume);
    for (const SnapshotId& id : {device.snapshot, device.backup, device.final_copy})
      if (member.deallocation.snapshots && !id.empty()) member.obsolete_snapshots.insert(id);
  }
  member.devices.clear();
}

// ---- what the cloud does

void Elastigroups::attachment_state(const cloud::Attachment& attachment,
                                    std::optional<AttachmentState> /*from*/) {
  const auto found = of_instance_.find(attachment.instance);
  if (found == of_instance_.end()) return;
  Work& work = *found->second;
  if (work.member.instance == attachment.instance) {
    if (attachment.state == AttachmentState::kAttached) enter_device(work, attachment);
    if (attachment.state == AttachmentState::kDetached) leave_device(work, attachment);
  }
  wake(work);
}

void Elastigroups::volume_state(const cloud::Volume& volume, std::optional<VolumeState> /*from*/) {
  const auto found = of_volume_.find(volume.id);
  if (found != of_volume_.end()) wake(*found->second);
}

}  // namespace sim::elastigroup
