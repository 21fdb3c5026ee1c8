// What EC2 describes, as it was at some instant.
#include <utility>

#include "sim/cloud/state.h"

namespace sim::cloud {

struct Cloud::Records {
  std::map<InstanceId, Instance> instances;
  std::map<VolumeId, Volume> volumes;
  std::map<SnapshotId, Snapshot> snapshots;
  std::map<SpotRequestId, SpotRequest> spot_requests;
  std::map<FleetId, Fleet> fleets;
  std::map<InstanceId, std::set<VolumeId>> attached;
  std::map<std::pair<std::string, std::string>, std::set<std::string>> tagged;
};

std::shared_ptr<Cloud::Records> Cloud::copy_records() const {
  const State& s = *state_;
  return std::make_shared<Records>(Records{.instances = s.instances,
                                           .volumes = s.volumes,
                                           .snapshots = s.snapshots,
                                           .spot_requests = s.spot_requests,
                                           .fleets = s.fleets,
                                           .attached = s.attached,
                                           .tagged = s.tagged});
}

// Swapped maps keep their nodes, so that what refers to a record still does.
void Cloud::swap_records(Records& records) {
  State& s = *state_;
  std::swap(s.instances, records.instances);
  std::swap(s.volumes, records.volumes);
  std::swap(s.snapshots, records.snapshots);
  std::swap(s.spot_requests, records.spot_requests);
  std::swap(s.fleets, records.fleets);
  std::swap(s.attached, records.attached);
  std::swap(s.tagged, records.tagged);
}

}  // namespace sim::cloud
