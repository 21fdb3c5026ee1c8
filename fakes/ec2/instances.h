// Fills in EC2's descriptions of instances.
#pragma once

#include <string>
#include <vector>

#include "api/ec2.h"
#include "fakes/action.h"

namespace fakes::ec2 {

inline constexpr const char* kRootDeviceName = "/dev/sda1";
// The instances with these IDs, which EC2 shows. Throws InvalidInstanceID.NotFound, which names all
// the others, and InvalidInstanceID.Malformed.
std::vector<const sim::cloud::Instance*> named_instances(const Call& call,
                                                         const std::vector<std::string>& ids);
api::List<api::ec2::InstanceBlockDeviceMapping> shown_block_devices(
    const Call& call, const sim::cloud::Instance& instance);
api::ec2::Instance shown(const Call& call, const sim::cloud::Instance& instance);
// MetadataOptions in state "applied".
api::ec2::InstanceMetadataOptionsResponse shown_metadata_options(
    const Backend& backend, const sim::cloud::LaunchSpec& spec);
api::ec2::InstanceState shown_state(sim::cloud::InstanceState);
// "disabled", "pending" or "enabled".
const char* monitoring_state(const sim::cloud::Instance& instance);
// The event's description as both APIs show it: "[Completed] scheduled reboot".
std::string maintenance_description(const sim::cloud::MaintenanceEvent&);
// The instance's scheduled events that DescribeInstanceStatus shows.
std::vector<const sim::cloud::MaintenanceEvent*> described_maintenance(const Backend&,
                                                                       const sim::cloud::Instance&);
// The status of instance and system checks: "not-applicable" before and after the instance runs,
// "initializing" while it boots, "ok".
std::string check_status(const Backend& backend, const sim::cloud::Instance& instance);
// The detail "reachability" of both: "initializing", "passed". Empty if checks do not apply.
std::string reachability(const Backend& backend, const sim::cloud::Instance& instance);
// SourceDestCheck of the primary interface. True if there is none any more.
bool checks_source_dest(const Backend& backend, const sim::cloud::Instance& instance);
// Security groups by ID.
api::List<api::ec2::GroupIdentifier> shown_groups(Backend& backend,
                                                  const std::vector<std::string>& ids);

}  // namespace fakes::ec2
