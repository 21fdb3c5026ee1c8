// EC2's rules for new snapshots, which CreateSnapshots applies to all volumes before it makes the
// first snapshot.
#pragma once

#include <cstddef>

#include "sim/cloud/resources.h"

namespace sim::cloud {

// `pending` is the number of the volume's snapshots that are not completed. Throws IncorrectState,
// ConcurrentSnapshotLimitExceeded, and the errors of CreateTags for tags that EC2 forbids.
void check_new_snapshot(const Volume& volume, std::ptrdiff_t pending, const Tags& tags);

// The tags that a snapshot can copy from its volume: all without those of AWS's services, whose
// keys begin with "aws:" (EC2 User Guide, "Tag restrictions").
Tags copied_tags(const Tags& tags);

}  // namespace sim::cloud
