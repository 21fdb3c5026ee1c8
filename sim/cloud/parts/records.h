// A copy of everything that EC2 described at a past instant (Cloud::copy_records).
#pragma once

#include <map>
#include <set>

#include "sim/cloud/cloud.h"
#include "sim/cloud/parts/tagging.h"

namespace sim::cloud {

struct Cloud::Records {
  std::map<InstanceId, Instance> instances;
  std::map<VolumeId, Volume> volumes;
  std::map<SnapshotId, Snapshot> snapshots;
  std::map<SpotRequestId, SpotRequest> spot_requests;
  std::map<FleetId, Fleet> fleets;
  std::map<InstanceId, std::set<VolumeId>> attached;
  Tagging::Index tagged;
};

}  // namespace sim::cloud
