// The content of instances' root volumes: the changes that the instances have made to the files of
// their image. A snapshot of a root, and a root that outlives its instance, are folders of the run.
//
// A guest's root is in memory, so a snapshot has all data that its programs have written, synced or
// not. Without namespaces guests have no root of their own, and all content is empty.
#pragma once

#include <cstdint>
#include <filesystem>

#include "sim/cloud/resources.h"
#include "sim/guest/process/parts/host_context.h"
#include "sim/guest/process/parts/machine.h"

namespace sim::guest {

// The part of ProcessHost that saves roots and provides them to new instances.
class Roots {
 public:
  Roots(HostContext&, const Machines&);

  const cloud::Volume& volume_of(const cloud::Instance&) const;
  bool is_root(const cloud::VolumeId&) const;
  bool is_root(const cloud::SnapshotId&) const;
  // The folder with the initial root of a new instance. Empty: the instance has only its image.
  std::filesystem::path origin(const cloud::Volume& root) const;

  // Saves the root of a machine that has ended, because its root volume remains.
  void keep(const Machine&);
  // Returns the bytes of EBS's blocks that hold data.
  std::int64_t snapshot(const cloud::SnapshotId&, const cloud::VolumeId&);
  // Returns the bytes of those blocks that differ from the blocks of `previous`.
  std::int64_t changed(const cloud::SnapshotId& previous, const cloud::SnapshotId&) const;
  void copy(const cloud::SnapshotId& from, const cloud::SnapshotId& to);
  void remove(const cloud::VolumeId&);
  void remove(const cloud::SnapshotId&);

 private:
  std::filesystem::path folder_of(const std::string& id) const;

  HostContext& context_;
  const Machines& machines_;
};

}  // namespace sim::guest
