// EBS volumes: created, deleted, and whether their keys can be used. Attachments attaches and
// detaches volumes; it changes a volume's state through this class.
//
// An instance's root volume is shown as EC2 shows it. A guest's root, however, is not a disk of
// this cloud: it costs nothing, and observers are not called for it. The comments in cloud.h say
// what each action throws.
#pragma once

#include <map>
#include <string_view>

#include "sim/cloud/host.h"
#include "sim/cloud/parts/bill.h"
#include "sim/cloud/parts/context.h"
#include "sim/cloud/parts/snapshots.h"
#include "sim/cloud/parts/tagging.h"

namespace sim::cloud {

// True if the keys of all block devices of a launch can be used. There is no KMS: a key of this
// region exists if its ARN has an alias, or an ID of AWS's pattern.
bool has_usable_keys(const Config&, const LaunchSpec&);

class Volumes {
 public:
  Volumes(Context&, Host&, Tagging&, Bill&, const Snapshots&);

  // All volumes, including deleted ones.
  const std::map<VolumeId, Volume>& all() const { return table_; }
  // A volume, even if it is deleted. Throws InvalidVolume.NotFound.
  Volume& find(const VolumeId&);
  // A volume that EC2 shows. Throws InvalidVolume.NotFound.
  Volume& shown(const VolumeId&);

  // Fills in the defaults of the type, the snapshot and the account. Throws the errors of
  // CreateVolume.
  VolumeSpec completed(const VolumeSpec&) const;

  VolumeId create(const VolumeSpec&);
  // Makes a volume in state creating. The caller must move it to its next state.
  Volume& make(const VolumeSpec& completed);
  // Adds a record without making a disk or reporting the volume.
  Volume& add(const VolumeId&, const VolumeSpec& completed);
  // Charges for the volume up to this call, because the customer cannot use it any longer. The
  // volume stays listed as deleting for a while.
  void remove(Volume&);

  // Moves a volume to another state and reports the transition.
  void set_state(Volume&, VolumeState to);
  void set_auto_enable_io(const VolumeId&, bool enabled);
  // Marks that a volume's record changes (Volume::revision). Call it before the change is reported.
  void touch(Volume& volume) { ++volume.revision; }

  // Throws InvalidSnapshot.InUse if a volume is in the making from this snapshot.
  void check_unused(const SnapshotId&) const;
  // The cost up to now of all volumes that are not deleted.
  Bill::Items open_items() const;

 private:
  void finish_creating(Volume&);

  Context& context_;
  Host& host_;
  Tagging& tagging_;
  Bill& bill_;
  const Snapshots& snapshots_;
  std::map<VolumeId, Volume> table_;
};

}  // namespace sim::cloud
