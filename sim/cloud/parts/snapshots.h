// EBS snapshots: a volume's bytes at the instant of the call, usable once they are copied. Each
// snapshot stores all bytes that hold data; volumes' snapshots share none here.
//
// A snapshot outlives its volume, so this part knows no volumes: a caller passes the record of the
// volume. The comments in cloud.h say what each action throws.
#pragma once

#include <map>
#include <string>

#include "sim/cloud/host.h"
#include "sim/cloud/parts/bill.h"
#include "sim/cloud/parts/context.h"
#include "sim/cloud/parts/tagging.h"

namespace sim::cloud {

class Snapshots {
 public:
  Snapshots(Context&, Host&, Tagging&, Bill&);

  // All snapshots, deleted ones among them.
  const std::map<SnapshotId, Snapshot>& all() const { return table_; }
  // A snapshot, even if it is deleted. Throws InvalidSnapshot.NotFound.
  const Snapshot& find(const SnapshotId&) const;
  // A snapshot that EC2 shows. Throws InvalidSnapshot.NotFound.
  const Snapshot& shown(const SnapshotId&) const;
  // Whether all snapshots still exist that the block devices of a launch are made from.
  bool exist_for(const LaunchSpec&) const;

  // Takes the bytes of the volume now. The snapshot is pending for a time that grows with them.
  SnapshotId create(const Volume&, const std::string& description, const Tags&);
  // A second snapshot with the bytes of a completed one, which is pending for as long as the first
  // was.
  SnapshotId copy(const SnapshotId&, const std::string& description);
  // Throws UnsupportedOperation for a root's snapshot that is to make another volume, and for
  // another volume's snapshot that is to make a root.
  void check_use(const Snapshot&, bool for_root) const;
  // Deletes a snapshot that no volume is being made from (Volumes::check_unused) and that no image
  // has (Images::check_unused).
  void remove(const SnapshotId&);
  // A pending snapshot ends in state error. A completed one stays as it is.
  void fail(const SnapshotId&);

  // What the snapshots that are not deleted have cost up to now.
  Bill::Items open_items() const;

 private:
  Snapshot& own(const SnapshotId&);
  Snapshot& add(Snapshot);
  void begin_copying(Snapshot&);
  bool stop_copying(const SnapshotId&);  // false if the snapshot is not pending

  Context& context_;
  Host& host_;
  Tagging& tagging_;
  Bill& bill_;
  std::map<SnapshotId, Snapshot> table_;
  std::map<SnapshotId, EventId> completion_;  // of the pending ones
};

}  // namespace sim::cloud
