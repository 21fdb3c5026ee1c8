// The handlers of EC2's actions; each has a row in ec2.cpp.
#pragma once

#include "api/ec2.h"
#include "fakes/action.h"

namespace fakes::ec2 {

namespace op = api::ec2::op;

// instances.cpp
op::DescribeInstances::Response describe_instances(Call&, const op::DescribeInstances::Request&);
op::DescribeInstanceStatus::Response describe_instance_status(
    Call&, const op::DescribeInstanceStatus::Request&);
op::TerminateInstances::Response terminate_instances(Call&, const op::TerminateInstances::Request&);
op::RebootInstances::Response reboot_instances(Call&, const op::RebootInstances::Request&);
op::GetConsoleOutput::Response get_console_output(Call&, const op::GetConsoleOutput::Request&);
// instance_attributes.cpp
op::DescribeInstanceAttribute::Response describe_instance_attribute(
    Call&, const op::DescribeInstanceAttribute::Request&);
op::ModifyInstanceAttribute::Response modify_instance_attribute(
    Call&, const op::ModifyInstanceAttribute::Request&);
// run_instances.cpp
op::RunInstances::Response run_instances(Call&, const op::RunInstances::Request&);
// instance_types.cpp
op::DescribeInstanceTypes::Response describe_instance_types(
    Call&, const op::DescribeInstanceTypes::Request&);
// images.cpp
op::DescribeImages::Response describe_images(Call&, const op::DescribeImages::Request&);
// launch_templates.cpp
op::CreateLaunchTemplate::Response create_launch_template(Call&,
                                                          const op::CreateLaunchTemplate::Request&);
op::DescribeLaunchTemplates::Response describe_launch_templates(
    Call&, const op::DescribeLaunchTemplates::Request&);
op::DescribeLaunchTemplateVersions::Response describe_launch_template_versions(
    Call&, const op::DescribeLaunchTemplateVersions::Request&);
op::DeleteLaunchTemplate::Response delete_launch_template(Call&,
                                                          const op::DeleteLaunchTemplate::Request&);
op::CreateLaunchTemplateVersion::Response create_launch_template_version(
    Call&, const op::CreateLaunchTemplateVersion::Request&);
op::ModifyLaunchTemplate::Response modify_launch_template(Call&,
                                                          const op::ModifyLaunchTemplate::Request&);
op::DeleteLaunchTemplateVersions::Response delete_launch_template_versions(
    Call&, const op::DeleteLaunchTemplateVersions::Request&);
// tags.cpp
op::CreateTags::Response create_tags(Call&, const op::CreateTags::Request&);
op::DeleteTags::Response delete_tags(Call&, const op::DeleteTags::Request&);
op::DescribeTags::Response describe_tags(Call&, const op::DescribeTags::Request&);
// volumes.cpp
op::CreateVolume::Response create_volume(Call&, const op::CreateVolume::Request&);
op::DescribeVolumes::Response describe_volumes(Call&, const op::DescribeVolumes::Request&);
op::DescribeVolumeStatus::Response describe_volume_status(Call&,
                                                          const op::DescribeVolumeStatus::Request&);
op::AttachVolume::Response attach_volume(Call&, const op::AttachVolume::Request&);
op::DetachVolume::Response detach_volume(Call&, const op::DetachVolume::Request&);
op::DeleteVolume::Response delete_volume(Call&, const op::DeleteVolume::Request&);
// snapshots.cpp
op::CreateSnapshot::Response create_snapshot(Call&, const op::CreateSnapshot::Request&);
op::DescribeSnapshots::Response describe_snapshots(Call&, const op::DescribeSnapshots::Request&);
op::DeleteSnapshot::Response delete_snapshot(Call&, const op::DeleteSnapshot::Request&);
// request_spot_fleet.cpp
op::RequestSpotFleet::Response request_spot_fleet(Call&, const op::RequestSpotFleet::Request&);
// spot_fleets.cpp
op::DescribeSpotFleetRequests::Response describe_spot_fleet_requests(
    Call&, const op::DescribeSpotFleetRequests::Request&);
op::DescribeSpotFleetInstances::Response describe_spot_fleet_instances(
    Call&, const op::DescribeSpotFleetInstances::Request&);
op::DescribeSpotFleetRequestHistory::Response describe_spot_fleet_request_history(
    Call&, const op::DescribeSpotFleetRequestHistory::Request&);
op::CancelSpotFleetRequests::Response cancel_spot_fleet_requests(
    Call&, const op::CancelSpotFleetRequests::Request&);
op::ModifySpotFleetRequest::Response modify_spot_fleet_request(
    Call&, const op::ModifySpotFleetRequest::Request&);
// spot_requests.cpp
op::RequestSpotInstances::Response request_spot_instances(Call&,
                                                          const op::RequestSpotInstances::Request&);
op::DescribeSpotInstanceRequests::Response describe_spot_instance_requests(
    Call&, const op::DescribeSpotInstanceRequests::Request&);
op::CancelSpotInstanceRequests::Response cancel_spot_instance_requests(
    Call&, const op::CancelSpotInstanceRequests::Request&);
// spot_prices.cpp
op::DescribeSpotPriceHistory::Response describe_spot_price_history(
    Call&, const op::DescribeSpotPriceHistory::Request&);
// zones.cpp
op::DescribeAvailabilityZones::Response describe_availability_zones(
    Call&, const op::DescribeAvailabilityZones::Request&);
op::DescribeRegions::Response describe_regions(Call&, const op::DescribeRegions::Request&);
// vpc.cpp
op::DescribeSubnets::Response describe_subnets(Call&, const op::DescribeSubnets::Request&);
op::DescribeVpcs::Response describe_vpcs(Call&, const op::DescribeVpcs::Request&);
op::DescribeSecurityGroups::Response describe_security_groups(
    Call&, const op::DescribeSecurityGroups::Request&);

}  // namespace fakes::ec2
