#include "sim/guest/process/parts/roots.h"

#include <algorithm>

#include "sim/guest/disks/disk_image.h"
#include "sim/guest/sandbox/file_tree.h"
#include "sim/guest/sandbox/root_files.h"
#include "sim/kernel/check.h"

namespace sim::guest {

namespace fs = std::filesystem;

Roots::Roots(HostContext& context, const Machines& machines)
    : context_(context), machines_(machines) {}

fs::path Roots::folder_of(const std::string& id) const {
  return context_.folder.path() / "roots" / id;
}

const cloud::Volume& Roots::volume_of(const cloud::Instance& instance) const {
  const auto& volumes = context_.cloud_of(instance.id).volumes();
  const auto root = std::ranges::find_if(volumes, [&](const auto& entry) {
    return entry.second.root && entry.second.attachment &&
           entry.second.attachment->instance == instance.id;
  });
  SIM_CHECK(root != volumes.end());
  return root->second;
}

bool Roots::is_root(const cloud::VolumeId& id) const {
  return context_.backend && context_.cloud_of(id).volume(id).root;
}

bool Roots::is_root(const cloud::SnapshotId& id) const { return fs::exists(folder_of(id.value)); }

fs::path Roots::origin(const cloud::Volume& root) const {
  const fs::path folder = folder_of(root.snapshot.value);
  return !root.snapshot.empty() && fs::exists(folder) ? folder : fs::path();
}

void Roots::keep(const Machine& machine) {
  save_root(machine.sandbox.root_files(), folder_of(machine.root_volume.value));
}

// Of a machine that runs, a root that was kept, or a root whose instance has not booted.
std::int64_t Roots::snapshot(const cloud::SnapshotId& snapshot, const cloud::VolumeId& volume) {
  const fs::path to = folder_of(snapshot.value), kept = folder_of(volume.value);
  for (const auto& [name, machine] : machines_.all())
    if (machine->root_volume == volume)
      return in_blocks(save_root(machine->sandbox.root_files(), to));
  const fs::path from = fs::exists(kept) ? kept : origin(context_.cloud_of(volume).volume(volume));
  fs::create_directories(to);
  return from.empty() ? 0 : in_blocks(copy_files(from, to));
}

std::int64_t Roots::changed(const cloud::SnapshotId& previous,
                            const cloud::SnapshotId& snapshot) const {
  return in_blocks(changed_files(folder_of(previous.value), folder_of(snapshot.value)));
}

void Roots::copy(const cloud::SnapshotId& from, const cloud::SnapshotId& to) {
  fs::create_directories(folder_of(to.value));
  copy_files(folder_of(from.value), folder_of(to.value));
}

void Roots::remove(const cloud::VolumeId& volume) { fs::remove_all(folder_of(volume.value)); }

void Roots::remove(const cloud::SnapshotId& snapshot) { fs::remove_all(folder_of(snapshot.value)); }

}  // namespace sim::guest
