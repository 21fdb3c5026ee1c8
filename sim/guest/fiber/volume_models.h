// Models of volumes: what modelled machines store on them, and how long transfers take.
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

// The bytes that making a filesystem writes, mostly its journal. Sources: xfsprogs 6.1 mkfs (a log
// of 64 MiB, or 1/2048 of the volume if that is more), e2fsprogs 1.47
// ext2fs_default_journal_size(); both measured.
std::int64_t filesystem_bytes(const std::string& filesystem, int size_gib);
// The bytes that files can use. ext4 reserves a 256-byte inode for each 16 KiB (mke2fs.conf's
// inode_ratio); XFS makes inodes from free space. Root may use the blocks that ext4 reserves.
std::int64_t usable_bytes(const std::string& filesystem, int size_gib);

// The content of a volume or a snapshot.
struct VolumeContent {
  std::string filesystem;                   // empty: blank
  std::set<std::string> files;              // paths of small files, from the volume's root
  bool data = false;                        // has the training data
  std::vector<KeptCheckpoint> checkpoints;  // the newest last
};

// The bytes of EBS blocks that a snapshot does not share with a previous one of the same file
// system: training data and checkpoints that are new. Without the same file system all `stored`
// bytes are.
std::int64_t new_bytes(const VolumeContent& previous, const VolumeContent& content,
                       std::int64_t stored, std::int64_t data_bytes);

// One modelled volume: its content, and a DiskMeter for the time of its transfers. A snapshot
// copies the content, and a volume made from it begins with that content.
class VolumeModel : public CheckpointPlace {
 public:
  // `data_bytes`: the size of the training data, once written.
  VolumeModel(const Simulation& simulation, const cloud::Volume& volume, VolumeContent content,
              std::int64_t from_snapshot, std::int64_t data_bytes);

  cloud::VolumeId id;
  VolumeContent content;
  // The bytes of EBS blocks that hold data.
  std::int64_t stored_bytes() const;
  // Writes the training data. False if they do not fit.
  bool put_data();
  bool has_room(const KeptCheckpoint& checkpoint) const override;

  // ---- each returns the time from now to its end; it begins when earlier transfers have ended
  //
  // Reads `bytes` that this machine has not read since the volume was plugged.
  Duration read(std::int64_t bytes);
  // Writes and syncs a new file of this size.
  Duration write_file(std::int64_t bytes);
  Duration write_checkpoint(const KeptCheckpoint& checkpoint) override;
  Duration expected_write(std::int64_t bytes) const override;
  // Zero if the checkpoints are in this machine's page cache.
  Duration read_checkpoints(const std::vector<std::int64_t>& sizes) override;
  std::vector<KeptCheckpoint>& checkpoints() override { return content.checkpoints; }

  std::string write_error(Time now) const override;
  // The trouble of its filesystem, until the next mount.
  enum class Trouble { kNone, kReadOnly, kErrors };
  Trouble trouble = Trouble::kNone;
  bool reads_fail() const { return trouble == Trouble::kErrors; }
  Time full_until = Time::min();
  // Multiplies the time of first reads of the snapshot's data.
  void slow_first_reads(double factor) { meter_.slow_first_reads(factor); }
  // Gives the volume another speed. The size of the file system stays: no model extends one.
  void change(const cloud::Volume& volume) {
    performance_ = cloud::performance(volume);
    meter_.change(simulation_->now(), performance_);
  }
  // Delays its I/O until then.
  void pause(Time until) { meter_.pause(until); }
  Duration pause_left() const { return meter_.pause_left(simulation_->now()); }
  // The number of checkpoints written here so far.
  std::int64_t changes = 0;
  void publish(const KeptCheckpoint& checkpoint) override;
  // Damages or deletes the newest checkpoint's files.
  void damage_newest(GuestFault::Damage how);

  // Another machine has the volume now, with an empty page cache.
  void plugged() { data_cached = checkpoint_cached_ = false; }
  bool data_cached = false;  // this machine has the training data in its page cache

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
  std::int64_t written_ = 0;  // bytes of files written so far
};

}  // namespace sim::guest
