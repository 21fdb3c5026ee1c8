// The cloud's resources as EC2 names and shows them.
#pragma once

#include <string>

#include "fakes/action.h"

namespace fakes::ec2 {

// ---- identifiers: InvalidInstanceID.Malformed and its like for what cannot be one
sim::cloud::InstanceId instance_id(const std::string& text);
sim::cloud::VolumeId volume_id(const std::string& text);
sim::cloud::SnapshotId snapshot_id(const std::string& text);
sim::cloud::SpotRequestId spot_request_id(const std::string& text);
sim::cloud::FleetId fleet_id(const std::string& text);
sim::cloud::LaunchTemplateId launch_template_id(const std::string& text);
void check_security_group_id(const std::string& text);

// ---- what EC2 still shows: terminated instances for an hour; no deleted volumes and snapshots
bool visible(const Call& call, const sim::cloud::Instance& instance);
bool visible(const sim::cloud::Volume& volume);
bool visible(const sim::cloud::Snapshot& snapshot);
// Throws Invalid*.NotFound for what is not there or not shown.
const sim::cloud::Instance& find_instance(const Call& call, const sim::cloud::InstanceId& id);
const sim::cloud::Volume& find_volume(const Call& call, const sim::cloud::VolumeId& id);
const sim::cloud::Snapshot& find_snapshot(const Call& call, const sim::cloud::SnapshotId& id);

}  // namespace fakes::ec2
