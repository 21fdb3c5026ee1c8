// EBS snapshots: copies of a volume's bytes at the instant of the call. A snapshot is usable once
// its bytes are copied.
//
// Snapshots share blocks. Each one is billed for the blocks that differ from those of the volume's
// previous snapshot, or of the snapshot from which the volume was made. If a snapshot is deleted,
// the next one is billed for the blocks that it still needs (Amazon EBS User Guide, "How Amazon EBS
// snapshots work"). A copy shares no blocks with its original.
//
// A snapshot outlives its volume, so this part knows no volumes: a caller passes the record of the
// volume. The comments in cloud.h say what each action throws.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "sim/cloud/host.h"
#include "sim/cloud/parts/bill.h"
#include "sim/cloud/parts/context.h"
#include "sim/cloud/parts/tagging.h"

namespace sim::cloud {

class Snapshots {
 public:
  Snapshots(Context&, Host&, Tagging&, Bill&);

  // All snapshots, including deleted ones.
  const std::map<SnapshotId, Snapshot>& all() const { return table_; }
  // A snapshot, even if it is deleted. Throws InvalidSnapshot.NotFound.
  const Snapshot& find(const SnapshotId&) const;
  // A snapshot that EC2 shows. Throws InvalidSnapshot.NotFound.
  const Snapshot& shown(const SnapshotId&) const;
  // Whether all snapshots from which a launch makes its block devices still exist.
  bool exist_for(const LaunchSpec&) const;

  // Copies the volume's bytes now. The snapshot is pending for a time that grows with their number.
  SnapshotId create(const Volume&, const std::string& description, const Tags&);
  // Sets made_with of these snapshots.
  void join(const std::vector<SnapshotId>&);
  // Makes a second snapshot with the bytes of a completed one. It is pending for as long as the
  // first was. If `source` is another region's, that region charges for the transfer of all bytes
  // (EBS User Guide, "Copy an Amazon EBS snapshot"). Throws IncorrectState.
  SnapshotId copy(const Snapshots& source, const SnapshotId&, const SnapshotCopy&);
  // Throws UnsupportedOperation if a volume other than a root is to be made from a root's snapshot,
  // or a root from another volume's snapshot.
  void check_use(const Snapshot&, bool for_root) const;
  // Deletes a snapshot. No volume may be in the making from it (Volumes::check_unused), and no
  // image may have it (Images::check_unused).
  void remove(const SnapshotId&);
  void permit_volumes(const SnapshotId&, Permissions);
  // A pending snapshot ends in state error. A completed one stays as it is.
  void fail(const SnapshotId&);

  // The cost up to now of all snapshots that are not deleted.
  Bill::Items open_items() const;

 private:
  Snapshot& own(const SnapshotId&);
  Snapshot& add(Snapshot);
  SnapshotId shared_with(const Volume&) const;
  void share(Snapshot&, const SnapshotId& previous);
  void pass_on(const Snapshot& deleted);
  void begin_copying(Snapshot&);
  std::string copys_key(const Snapshot& original, const SnapshotCopy&, bool abroad) const;
  void charge_transfer(const Snapshot& copy, const std::string& to_region) const;
  bool stop_copying(const SnapshotId&);  // false if the snapshot is not pending

  Context& context_;
  Host& host_;
  Tagging& tagging_;
  Bill& bill_;
  std::map<SnapshotId, Snapshot> table_;
  std::map<SnapshotId, EventId> completion_;  // of the pending ones
  std::map<VolumeId, SnapshotId> newest_;     // perhaps deleted
  // The snapshot that keeps the blocks of a deleted one. It may be deleted, too.
  std::map<SnapshotId, SnapshotId> heirs_;
  // The existing snapshots that share blocks with a snapshot (Snapshot::previous).
  std::map<SnapshotId, std::vector<SnapshotId>> next_;
};

}  // namespace sim::cloud
