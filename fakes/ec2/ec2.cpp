#include "fakes/ec2/actions.h"
#include "fakes/service.h"

namespace fakes {

const Service& ec2_service() {
  using namespace ec2;
  static const ActionRow rows[] = {
      action<op::AttachVolume, attach_volume>(),
      action<op::CancelSpotFleetRequests, cancel_spot_fleet_requests>(),
      action<op::CancelSpotInstanceRequests, cancel_spot_instance_requests>(),
      action<op::CreateLaunchTemplate, create_launch_template>(),
      action<op::CreateLaunchTemplateVersion, create_launch_template_version>(),
      action<op::CreateSnapshot, create_snapshot>(),
      action<op::CreateTags, create_tags>(),
      action<op::CreateVolume, create_volume>(),
      action<op::DeleteLaunchTemplate, delete_launch_template>(),
      action<op::DeleteLaunchTemplateVersions, delete_launch_template_versions>(),
      action<op::DeleteSnapshot, delete_snapshot>(),
      action<op::DeleteTags, delete_tags>(),
      action<op::DeleteVolume, delete_volume>(),
      action<op::DescribeAvailabilityZones, describe_availability_zones>(),
      action<op::DescribeImages, describe_images>(),
      action<op::DescribeInstanceAttribute, describe_instance_attribute>(),
      action<op::DescribeInstanceStatus, describe_instance_status>(),
      action<op::DescribeInstanceTypes, describe_instance_types>(),
      action<op::DescribeInstances, describe_instances>(),
      action<op::DescribeLaunchTemplateVersions, describe_launch_template_versions>(),
      action<op::DescribeLaunchTemplates, describe_launch_templates>(),
      action<op::DescribeRegions, describe_regions>(),
      action<op::DescribeSecurityGroups, describe_security_groups>(),
      action<op::DescribeSnapshots, describe_snapshots>(),
      action<op::DescribeSpotFleetInstances, describe_spot_fleet_instances>(),
      action<op::DescribeSpotFleetRequestHistory, describe_spot_fleet_request_history>(),
      action<op::DescribeSpotFleetRequests, describe_spot_fleet_requests>(),
      action<op::DescribeSpotInstanceRequests, describe_spot_instance_requests>(),
      action<op::DescribeSpotPriceHistory, describe_spot_price_history>(),
      action<op::DescribeSubnets, describe_subnets>(),
      action<op::DescribeTags, describe_tags>(),
      action<op::DescribeVolumeStatus, describe_volume_status>(),
      action<op::DescribeVolumes, describe_volumes>(),
      action<op::DescribeVpcs, describe_vpcs>(),
      action<op::DetachVolume, detach_volume>(),
      action<op::GetConsoleOutput, get_console_output>(),
      action<op::ModifyInstanceAttribute, modify_instance_attribute>(),
      action<op::ModifyLaunchTemplate, modify_launch_template>(),
      action<op::ModifySpotFleetRequest, modify_spot_fleet_request>(),
      action<op::RebootInstances, reboot_instances>(),
      action<op::RequestSpotFleet, request_spot_fleet>(),
      action<op::RequestSpotInstances, request_spot_instances>(),
      action<op::RunInstances, run_instances>(),
      action<op::TerminateInstances, terminate_instances>(),
  };
  static const Service service{api::ec2::kService, rows};
  return service;
}

}  // namespace fakes
