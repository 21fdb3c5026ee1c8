// What modelled machines keep on volumes, and how long its transfers take.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "sim/cloud/resources.h"
#include "sim/guest/disks/disk_speed.h"
#include "sim/guest/fiber/checkpoint_place.h"
#include "sim/guest/fiber/trainer_model.h"
#include "sim/guest/guest_fault.h"
#include "sim/kernel/simulation.h"

namespace sim::guest {

// The bytes that making a filesystem writes, by its journal for the most part. Sources: xfsprogs
// 6.1 mkfs (log of 64 MiB, 1/2048 of the volume where that is more), e2fsprogs 1.47
// ext2fs_default_journal_size(); both measured.
std::int64_t filesystem_bytes(const std::string& filesystem, int size_gib);
// The bytes that files can have on it. ext4 keeps a 256-byte inode for each 16 KiB (mke2fs.conf's
// inode_ratio); XFS makes inodes of free space. Root may use the blocks that ext4 reserves.
std::int64_t usable_bytes(const std::string& filesystem, int size_gib);

// What a volume or a snapshot holds.
struct VolumeContent {
  std::string filesystem;                   // empty: the volume is blank
  std::set<std::string> files;              // paths from the volume's root, of small files
  bool data = false;                        // the training data
  std::vector<KeptCheckpoint> checkpoints;  // the newest last
};

class VolumeModel : public CheckpointPlace {
 public:
  // `data_bytes`: of the training data, once they are there.
  VolumeModel(const Simulation& simulation, const cloud::Volume& volume, VolumeContent content,
              std::int64_t from_snapshot, std::int64_t data_bytes);

  cloud::VolumeId id;
  VolumeContent content;
  // Bytes of EBS's blocks that hold data.
  std::int64_t stored_bytes() const;
  // The training data are written; false: they do not fit.
  bool put_data();
  bool has_room(const KeptCheckpoint& checkpoint) const override;

  // ---- each returns how long from now on it takes; it begins when what is asked before is done
  // Of the first `bytes` of something that nobody on this machine has read since it was plugged.
  Duration read(std::int64_t bytes);
  // A new file of this size is written and synced.
  Duration write_file(std::int64_t bytes);
  Duration write_checkpoint(const KeptCheckpoint& checkpoint) override;
  Duration expected_write(std::int64_t bytes) const override;
  // No time if this machine has the checkpoints in its page cache.
  Duration read_checkpoints(const std::vector<std::int64_t>& sizes) override;
  std::vector<KeptCheckpoint>& checkpoints() override { return content.checkpoints; }

  std::string write_error(Time now) const override;
  // Its filesystem, until it is mounted anew.
  enum class Trouble { kNone, kReadOnly, kErrors };
  Trouble trouble = Trouble::kNone;
  bool reads_fail() const { return trouble == Trouble::kErrors; }
  Time full_until = Time::min();
  // Multiplies the time of first reads of the snapshot's data.
  void slow_first_reads(double factor) { meter_.slow_first_reads(factor); }
  // Its I/O waits until then.
  void pause(Time until) { meter_.pause(until); }
  Duration pause_left() const { return meter_.pause_left(simulation_->now()); }
  // How often a checkpoint has been written here.
  std::int64_t changes = 0;
  void publish(const KeptCheckpoint& checkpoint) override;
  // The newest checkpoint's files are not what was written, or gone.
  void damage_newest(GuestFault::Damage how);

  // Another machine has it: its page cache is empty.
  void plugged() { data_cached = checkpoint_cached_ = false; }
  bool data_cached = false;  // this machine has read the training data

 private:
  Duration write_file_at(Time begin, std::int64_t bytes);
  std::int64_t file_bytes() const;  // of data and checkpoints, in whole pages
  bool fits(std::int64_t bytes) const;

  const Simulation* simulation_;
  bool checkpoint_cached_ = false;
  int size_gib_;
  std::int64_t data_bytes_;
  cloud::VolumePerformance performance_;
  DiskMeter meter_;
  std::int64_t written_ = 0;  // files, ever
};

}  // namespace sim::guest
