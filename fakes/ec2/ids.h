// IDs of the cloud's resources in requests. A text that cannot be an ID is refused with
// Invalid*.Malformed and similar codes.
#pragma once

#include <string>

#include "fakes/action.h"

namespace fakes::ec2 {

sim::cloud::InstanceId instance_id(const std::string& text);
sim::cloud::VolumeId volume_id(const std::string& text);
sim::cloud::SnapshotId snapshot_id(const std::string& text);
sim::cloud::SpotRequestId spot_request_id(const std::string& text);
sim::cloud::FleetId fleet_id(const std::string& text);      // of a spot fleet
sim::cloud::FleetId ec2_fleet_id(const std::string& text);  // of an EC2 fleet
sim::cloud::LaunchTemplateId launch_template_id(const std::string& text);
void check_image_id(const std::string& text);
// Throws the same error for a text that names a parameter, which only RunInstances accepts.
void check_no_parameter(const std::string& image_id);
void check_security_group_id(const std::string& text);
// The security groups of one instance, at most five (VPC quota "Security groups per network
// interface").
void check_security_group_ids(const std::vector<std::string>& texts);

}  // namespace fakes::ec2
