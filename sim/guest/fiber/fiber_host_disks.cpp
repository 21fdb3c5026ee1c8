// Volumes, and the folders of containers.
#include "sim/guest/fiber/fiber_host_state.h"

namespace sim::guest {
namespace {

constexpr Duration kUnmountLook = 1s;  // the same interval as with process guests

}  // namespace

// ---- containers

cloud::ContainerFolder FiberHost::container_folder(const cloud::InstanceId& id) {
  return state_->containers->folder(id);
}

bool FiberHost::run_container(const cloud::Instance& instance, const cloud::Container& container,
                              cloud::ContainerHooks hooks) {
  if (state_->options.next_interruption)
    state_->give_up("trainer.policy: found oracle, expected none in a training job's container");
  return state_->containers->run(instance, container, std::move(hooks));
}

void FiberHost::stop_container(const cloud::InstanceId& id, Duration grace) {
  state_->containers->stop(id, grace);
}

// ---- volumes

void FiberHost::State::take(FiberMachine& machine, const cloud::VolumeId& volume) {
  machine.model.unplug(volume);
  const auto released = machine.releases.extract(volume);
  if (!released.empty()) simulation.after({}, released.mapped());
}

void FiberHost::State::release_when_unmounted(const std::string& name,
                                              const cloud::VolumeId& volume) {
  const auto at = machines.find(name);
  if (at == machines.end() || !at->second->model.plugged(volume)) return;
  if (!at->second->model.mounted(volume)) return take(*at->second, volume);
  simulation.after(kUnmountLook, [this, name, volume] { release_when_unmounted(name, volume); });
}

void FiberHost::plug(const cloud::VolumeId& volume, const cloud::InstanceId& instance,
                     const std::string& device) {
  const auto at = state_->machines.find(instance.value);
  // The machine has powered off; its end detaches the volume.
  if (at == state_->machines.end()) return;
  at->second->model.plug(volume, device, state_->volumes.at(volume));
}

void FiberHost::unplug(const cloud::VolumeId& volume, const cloud::InstanceId& instance, bool force,
                       std::function<void()> released) {
  State& s = *state_;
  const auto at = s.machines.find(instance.value);
  if (at == s.machines.end() || !at->second->model.plugged(volume)) {
    s.simulation.after({}, std::move(released));
    return;
  }
  at->second->releases[volume] = std::move(released);
  if (force) return s.take(*at->second, volume);
  s.release_when_unmounted(instance.value, volume);
}

void FiberHost::create_disk(const cloud::Volume& volume) {
  State& s = *state_;
  State::Snapshot from;
  if (!volume.snapshot.empty()) from = s.snapshots.at(volume.snapshot);
  VolumeModel made(s.simulation, volume, from.content, from.stored, s.config.trainer.data_bytes);
  if (!volume.snapshot.empty())
    if (const auto factor = s.slow_restores.next()) made.slow_first_reads(*factor);
  s.volumes.insert_or_assign(volume.id, std::move(made));
}

void FiberHost::change_disk(const cloud::Volume& volume) {
  const auto found = state_->volumes.find(volume.id);
  if (found != state_->volumes.end()) found->second.change(volume);
}

void FiberHost::delete_disk(const cloud::VolumeId& volume) { state_->volumes.erase(volume); }

std::int64_t FiberHost::snapshot_disk(const cloud::SnapshotId& snapshot,
                                      const cloud::VolumeId& volume) {
  const auto found = state_->volumes.find(volume);
  if (found == state_->volumes.end()) return 0;  // a root volume, which the model leaves empty
  const VolumeModel& model = found->second;
  const std::int64_t stored = model.stored_bytes();
  state_->snapshots[snapshot] = {model.content, stored};
  return stored;
}

std::optional<std::int64_t> FiberHost::changed_bytes(const cloud::SnapshotId& previous,
                                                     const cloud::SnapshotId& snapshot) {
  const auto before = state_->snapshots.find(previous), now = state_->snapshots.find(snapshot);
  if (before == state_->snapshots.end() || now == state_->snapshots.end()) return {};
  return new_bytes(before->second.content, now->second.content, now->second.stored,
                   state_->config.trainer.data_bytes);
}

void FiberHost::copy_snapshot_disk(const cloud::SnapshotId& from, const cloud::SnapshotId& to) {
  const auto found = state_->snapshots.find(from);
  if (found != state_->snapshots.end()) state_->snapshots[to] = found->second;
}

void FiberHost::delete_snapshot_disk(const cloud::SnapshotId& snapshot) {
  state_->snapshots.erase(snapshot);
}

}  // namespace sim::guest
