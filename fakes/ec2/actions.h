// The handlers of EC2's actions, grouped by file. ec2.cpp has the table that maps actions to
// handlers.
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
op::MonitorInstances::Response monitor_instances(Call&, const op::MonitorInstances::Request&);
op::UnmonitorInstances::Response unmonitor_instances(Call&, const op::UnmonitorInstances::Request&);
op::RebootInstances::Response reboot_instances(Call&, const op::RebootInstances::Request&);
// ---- state_changes.cpp
op::StopInstances::Response stop_instances(Call&, const op::StopInstances::Request&);
op::StartInstances::Response start_instances(Call&, const op::StartInstances::Request&);
op::GetConsoleOutput::Response get_console_output(Call&, const op::GetConsoleOutput::Request&);
// instance_attributes.cpp
op::DescribeInstanceAttribute::Response describe_instance_attribute(
    Call&, const op::DescribeInstanceAttribute::Request&);
op::ModifyInstanceAttribute::Response modify_instance_attribute(
    Call&, const op::ModifyInstanceAttribute::Request&);
// credit_specifications.cpp
op::DescribeInstanceCreditSpecifications::Response describe_instance_credit_specifications(
    Call&, const op::DescribeInstanceCreditSpecifications::Request&);
// placement_groups.cpp
op::CreatePlacementGroup::Response create_placement_group(Call&,
                                                          const op::CreatePlacementGroup::Request&);
op::DescribePlacementGroups::Response describe_placement_groups(
    Call&, const op::DescribePlacementGroups::Request&);
op::DeletePlacementGroup::Response delete_placement_group(Call&,
                                                          const op::DeletePlacementGroup::Request&);
// instance_profiles.cpp
op::AssociateIamInstanceProfile::Response associate_iam_instance_profile(
    Call&, const op::AssociateIamInstanceProfile::Request&);
op::DescribeIamInstanceProfileAssociations::Response describe_iam_instance_profile_associations(
    Call&, const op::DescribeIamInstanceProfileAssociations::Request&);
op::DisassociateIamInstanceProfile::Response disassociate_iam_instance_profile(
    Call&, const op::DisassociateIamInstanceProfile::Request&);
op::ReplaceIamInstanceProfileAssociation::Response replace_iam_instance_profile_association(
    Call&, const op::ReplaceIamInstanceProfileAssociation::Request&);
// metadata_options.cpp
op::ModifyInstanceMetadataOptions::Response modify_instance_metadata_options(
    Call&, const op::ModifyInstanceMetadataOptions::Request&);
// run_instances.cpp
op::RunInstances::Response run_instances(Call&, const op::RunInstances::Request&);
// instance_types.cpp
op::DescribeInstanceTypes::Response describe_instance_types(
    Call&, const op::DescribeInstanceTypes::Request&);
// type_offerings.cpp
op::DescribeInstanceTypeOfferings::Response describe_instance_type_offerings(
    Call&, const op::DescribeInstanceTypeOfferings::Request&);
// account_attributes.cpp
op::DescribeAccountAttributes::Response describe_account_attributes(
    Call&, const op::DescribeAccountAttributes::Request&);
// images.cpp
op::DescribeImages::Response describe_images(Call&, const op::DescribeImages::Request&);
// own_images.cpp
op::CreateImage::Response create_image(Call&, const op::CreateImage::Request&);
op::DescribeImageAttribute::Response describe_image_attribute(
    Call&, const op::DescribeImageAttribute::Request&);
op::ModifyImageAttribute::Response modify_image_attribute(Call&,
                                                          const op::ModifyImageAttribute::Request&);
op::ResetImageAttribute::Response reset_image_attribute(Call&,
                                                        const op::ResetImageAttribute::Request&);
op::RegisterImage::Response register_image(Call&, const op::RegisterImage::Request&);
op::CopyImage::Response copy_image(Call&, const op::CopyImage::Request&);
op::DeregisterImage::Response deregister_image(Call&, const op::DeregisterImage::Request&);
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
// volume_modifications.cpp
op::ModifyVolume::Response modify_volume(Call&, const op::ModifyVolume::Request&);
op::DescribeVolumesModifications::Response describe_volumes_modifications(
    Call&, const op::DescribeVolumesModifications::Request&);
op::DescribeVolumeAttribute::Response describe_volume_attribute(
    Call&, const op::DescribeVolumeAttribute::Request&);
op::ModifyVolumeAttribute::Response modify_volume_attribute(
    Call&, const op::ModifyVolumeAttribute::Request&);
// snapshot_attributes.cpp
op::DescribeSnapshotAttribute::Response describe_snapshot_attribute(
    Call&, const op::DescribeSnapshotAttribute::Request&);
op::ModifySnapshotAttribute::Response modify_snapshot_attribute(
    Call&, const op::ModifySnapshotAttribute::Request&);
op::ResetSnapshotAttribute::Response reset_snapshot_attribute(
    Call&, const op::ResetSnapshotAttribute::Request&);
// snapshots.cpp
op::CopySnapshot::Response copy_snapshot(Call&, const op::CopySnapshot::Request&);
op::CreateSnapshot::Response create_snapshot(Call&, const op::CreateSnapshot::Request&);
op::CreateSnapshots::Response create_snapshots(Call&, const op::CreateSnapshots::Request&);
op::DescribeSnapshots::Response describe_snapshots(Call&, const op::DescribeSnapshots::Request&);
op::DeleteSnapshot::Response delete_snapshot(Call&, const op::DeleteSnapshot::Request&);
// create_fleet.cpp
op::CreateFleet::Response create_fleet(Call&, const op::CreateFleet::Request&);
op::ModifyFleet::Response modify_fleet(Call&, const op::ModifyFleet::Request&);
// fleets.cpp
op::DescribeFleets::Response describe_fleets(Call&, const op::DescribeFleets::Request&);
op::DescribeFleetInstances::Response describe_fleet_instances(
    Call&, const op::DescribeFleetInstances::Request&);
op::DescribeFleetHistory::Response describe_fleet_history(Call&,
                                                          const op::DescribeFleetHistory::Request&);
op::DeleteFleets::Response delete_fleets(Call&, const op::DeleteFleets::Request&);
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
// instance_requirements.cpp
op::GetInstanceTypesFromInstanceRequirements::Response
get_instance_types_from_instance_requirements(
    Call&, const op::GetInstanceTypesFromInstanceRequirements::Request&);
// placement_scores.cpp
op::GetSpotPlacementScores::Response get_spot_placement_scores(
    Call&, const op::GetSpotPlacementScores::Request&);
// zones.cpp
op::DescribeAvailabilityZones::Response describe_availability_zones(
    Call&, const op::DescribeAvailabilityZones::Request&);
op::DescribeRegions::Response describe_regions(Call&, const op::DescribeRegions::Request&);
// vpcs.cpp
op::CreateVpc::Response create_vpc(Call&, const op::CreateVpc::Request&);
op::CreateDefaultVpc::Response create_default_vpc(Call&, const op::CreateDefaultVpc::Request&);
op::DeleteVpc::Response delete_vpc(Call&, const op::DeleteVpc::Request&);
op::DescribeVpcs::Response describe_vpcs(Call&, const op::DescribeVpcs::Request&);
op::DescribeVpcAttribute::Response describe_vpc_attribute(Call&,
                                                          const op::DescribeVpcAttribute::Request&);
op::ModifyVpcAttribute::Response modify_vpc_attribute(Call&,
                                                      const op::ModifyVpcAttribute::Request&);
op::ModifyVpcTenancy::Response modify_vpc_tenancy(Call&, const op::ModifyVpcTenancy::Request&);
// dhcp_options.cpp
op::CreateDhcpOptions::Response create_dhcp_options(Call&, const op::CreateDhcpOptions::Request&);
op::DescribeDhcpOptions::Response describe_dhcp_options(Call&,
                                                        const op::DescribeDhcpOptions::Request&);
op::AssociateDhcpOptions::Response associate_dhcp_options(Call&,
                                                          const op::AssociateDhcpOptions::Request&);
op::DeleteDhcpOptions::Response delete_dhcp_options(Call&, const op::DeleteDhcpOptions::Request&);
// subnets.cpp
op::CreateSubnet::Response create_subnet(Call&, const op::CreateSubnet::Request&);
op::CreateDefaultSubnet::Response create_default_subnet(Call&,
                                                        const op::CreateDefaultSubnet::Request&);
op::DeleteSubnet::Response delete_subnet(Call&, const op::DeleteSubnet::Request&);
op::DescribeSubnets::Response describe_subnets(Call&, const op::DescribeSubnets::Request&);
op::ModifySubnetAttribute::Response modify_subnet_attribute(
    Call&, const op::ModifySubnetAttribute::Request&);
// security_groups.cpp
op::CreateSecurityGroup::Response create_security_group(Call&,
                                                        const op::CreateSecurityGroup::Request&);
op::DeleteSecurityGroup::Response delete_security_group(Call&,
                                                        const op::DeleteSecurityGroup::Request&);
op::DescribeSecurityGroups::Response describe_security_groups(
    Call&, const op::DescribeSecurityGroups::Request&);
// security_group_rules.cpp
op::AuthorizeSecurityGroupIngress::Response authorize_security_group_ingress(
    Call&, const op::AuthorizeSecurityGroupIngress::Request&);
op::AuthorizeSecurityGroupEgress::Response authorize_security_group_egress(
    Call&, const op::AuthorizeSecurityGroupEgress::Request&);
op::RevokeSecurityGroupIngress::Response revoke_security_group_ingress(
    Call&, const op::RevokeSecurityGroupIngress::Request&);
op::RevokeSecurityGroupEgress::Response revoke_security_group_egress(
    Call&, const op::RevokeSecurityGroupEgress::Request&);
op::DescribeSecurityGroupRules::Response describe_security_group_rules(
    Call&, const op::DescribeSecurityGroupRules::Request&);
// security_group_rule_changes.cpp
op::UpdateSecurityGroupRuleDescriptionsIngress::Response
update_security_group_rule_descriptions_ingress(
    Call&, const op::UpdateSecurityGroupRuleDescriptionsIngress::Request&);
op::UpdateSecurityGroupRuleDescriptionsEgress::Response
update_security_group_rule_descriptions_egress(
    Call&, const op::UpdateSecurityGroupRuleDescriptionsEgress::Request&);
op::ModifySecurityGroupRules::Response modify_security_group_rules(
    Call&, const op::ModifySecurityGroupRules::Request&);
// internet_gateways.cpp
op::CreateInternetGateway::Response create_internet_gateway(
    Call&, const op::CreateInternetGateway::Request&);
op::AttachInternetGateway::Response attach_internet_gateway(
    Call&, const op::AttachInternetGateway::Request&);
op::DetachInternetGateway::Response detach_internet_gateway(
    Call&, const op::DetachInternetGateway::Request&);
op::DeleteInternetGateway::Response delete_internet_gateway(
    Call&, const op::DeleteInternetGateway::Request&);
op::DescribeInternetGateways::Response describe_internet_gateways(
    Call&, const op::DescribeInternetGateways::Request&);
// route_tables.cpp
op::CreateRouteTable::Response create_route_table(Call&, const op::CreateRouteTable::Request&);
op::DeleteRouteTable::Response delete_route_table(Call&, const op::DeleteRouteTable::Request&);
op::AssociateRouteTable::Response associate_route_table(Call&,
                                                        const op::AssociateRouteTable::Request&);
op::DisassociateRouteTable::Response disassociate_route_table(
    Call&, const op::DisassociateRouteTable::Request&);
op::ReplaceRouteTableAssociation::Response replace_route_table_association(
    Call&, const op::ReplaceRouteTableAssociation::Request&);
op::DescribeRouteTables::Response describe_route_tables(Call&,
                                                        const op::DescribeRouteTables::Request&);
op::CreateRoute::Response create_route(Call&, const op::CreateRoute::Request&);
op::ReplaceRoute::Response replace_route(Call&, const op::ReplaceRoute::Request&);
op::DeleteRoute::Response delete_route(Call&, const op::DeleteRoute::Request&);
// key_pairs.cpp
op::CreateKeyPair::Response create_key_pair(Call&, const op::CreateKeyPair::Request&);
op::ImportKeyPair::Response import_key_pair(Call&, const op::ImportKeyPair::Request&);
op::DeleteKeyPair::Response delete_key_pair(Call&, const op::DeleteKeyPair::Request&);
op::DescribeKeyPairs::Response describe_key_pairs(Call&, const op::DescribeKeyPairs::Request&);
// addresses.cpp
op::AllocateAddress::Response allocate_address(Call&, const op::AllocateAddress::Request&);
op::ReleaseAddress::Response release_address(Call&, const op::ReleaseAddress::Request&);
op::AssociateAddress::Response associate_address(Call&, const op::AssociateAddress::Request&);
op::DisassociateAddress::Response disassociate_address(Call&,
                                                       const op::DisassociateAddress::Request&);
op::DescribeAddresses::Response describe_addresses(Call&, const op::DescribeAddresses::Request&);
// network_interfaces.cpp
op::DescribeNetworkInterfaceAttribute::Response describe_network_interface_attribute(
    Call&, const op::DescribeNetworkInterfaceAttribute::Request&);
op::DescribeNetworkInterfaces::Response describe_network_interfaces(
    Call&, const op::DescribeNetworkInterfaces::Request&);
// network_interface_changes.cpp
op::CreateNetworkInterface::Response create_network_interface(
    Call&, const op::CreateNetworkInterface::Request&);
op::AttachNetworkInterface::Response attach_network_interface(
    Call&, const op::AttachNetworkInterface::Request&);
op::DetachNetworkInterface::Response detach_network_interface(
    Call&, const op::DetachNetworkInterface::Request&);
op::DeleteNetworkInterface::Response delete_network_interface(
    Call&, const op::DeleteNetworkInterface::Request&);
op::ModifyNetworkInterfaceAttribute::Response modify_network_interface_attribute(
    Call&, const op::ModifyNetworkInterfaceAttribute::Request&);
// private_addresses.cpp
op::AssignPrivateIpAddresses::Response assign_private_ip_addresses(
    Call&, const op::AssignPrivateIpAddresses::Request&);
op::UnassignPrivateIpAddresses::Response unassign_private_ip_addresses(
    Call&, const op::UnassignPrivateIpAddresses::Request&);
// network_acls.cpp
op::DescribeNetworkAcls::Response describe_network_acls(Call&,
                                                        const op::DescribeNetworkAcls::Request&);

}  // namespace fakes::ec2
