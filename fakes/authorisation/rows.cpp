// The resources of each action that supports permissions on resources: those of EC2 and S3. All
// other actions, such as EC2's Describe actions, have "*".
#include <map>
#include <utility>

#include "fakes/authorisation/permissions.h"

namespace fakes::authorisation {
namespace {

constexpr PermissionRow kRows[] = {
    // ---- EC2: instances, images, launch templates
    {"ec2", "RunInstances",
     "instance/* !image/{image:ImageId} "
     "network-interface/{NetworkInterface.NetworkInterfaceId} "
     "security-group/{sg:SecurityGroupId|NetworkInterface.SecurityGroupId|SecurityGroup} "
     "subnet/{SubnetId|NetworkInterface.SubnetId} ?key-pair/{KeyName} "
     "?placement-group/{placement:Placement.GroupName|Placement.GroupId} "
     "?!snapshot/{BlockDeviceMapping.Ebs.SnapshotId} "
     "?launch-template/{LaunchTemplate.LaunchTemplateId} "
     "?launch-template/{template:LaunchTemplate.LaunchTemplateName}"},
    {"ec2", "TerminateInstances", "instance/{InstanceId}"},
    {"ec2", "StartInstances", "instance/{InstanceId}"},
    {"ec2", "StopInstances", "instance/{InstanceId}"},
    {"ec2", "RebootInstances", "instance/{InstanceId}"},
    {"ec2", "MonitorInstances", "instance/{InstanceId}"},
    {"ec2", "UnmonitorInstances", "instance/{InstanceId}"},
    {"ec2", "GetConsoleOutput", "instance/{InstanceId}"},
    {"ec2", "ModifyInstanceAttribute", "instance/{InstanceId}"},
    {"ec2", "ModifyInstanceMetadataOptions", "instance/{InstanceId}"},
    {"ec2", "DescribeInstanceAttribute", "instance/{InstanceId}"},
    {"ec2", "AssociateIamInstanceProfile", "instance/{InstanceId}"},
    {"ec2", "DisassociateIamInstanceProfile", "instance/{association:AssociationId}"},
    {"ec2", "ReplaceIamInstanceProfileAssociation", "instance/{association:AssociationId}"},
    {"ec2", "CreateImage", "!image/* instance/{InstanceId} !snapshot/*"},
    {"ec2", "RegisterImage", "!image/*"},
    {"ec2", "CopyImage", "!image/* {copied:SourceImageId}"},
    {"ec2", "DeregisterImage", "!image/{ImageId}"},
    {"ec2", "DescribeImageAttribute", "!image/{ImageId}"},
    {"ec2", "ModifyImageAttribute", "!image/{ImageId}"},
    {"ec2", "ResetImageAttribute", "!image/{ImageId}"},
    {"ec2", "CreateLaunchTemplate", "launch-template/*"},
    {"ec2", "CreateLaunchTemplateVersion",
     "launch-template/{template:LaunchTemplateId|LaunchTemplateName}"},
    {"ec2", "ModifyLaunchTemplate",
     "launch-template/{template:LaunchTemplateId|LaunchTemplateName}"},
    {"ec2", "DeleteLaunchTemplateVersions",
     "launch-template/{template:LaunchTemplateId|LaunchTemplateName}"},
    {"ec2", "DeleteLaunchTemplate",
     "launch-template/{template:LaunchTemplateId|LaunchTemplateName}"},
    // ---- EC2: volumes, snapshots, tags
    {"ec2", "CreateVolume", "volume/* ?!snapshot/{SnapshotId}"},
    {"ec2", "AttachVolume", "instance/{InstanceId} volume/{VolumeId}"},
    {"ec2", "DetachVolume", "?instance/{InstanceId} volume/{VolumeId}"},
    {"ec2", "DeleteVolume", "volume/{VolumeId}"},
    {"ec2", "ModifyVolume", "volume/{VolumeId}"},
    {"ec2", "ModifyVolumeAttribute", "volume/{VolumeId}"},
    {"ec2", "DescribeVolumeAttribute", "volume/{VolumeId}"},
    {"ec2", "CreateSnapshot", "!snapshot/* volume/{VolumeId}"},
    {"ec2", "CreateSnapshots",
     "instance/{InstanceSpecification.InstanceId} !snapshot/* "
     "?volume/{attached:InstanceSpecification.InstanceId}"},
    {"ec2", "CopySnapshot", "!snapshot/* {copied:SourceSnapshotId}"},
    {"ec2", "DeleteSnapshot", "!snapshot/{SnapshotId}"},
    {"ec2", "DescribeSnapshotAttribute", "!snapshot/{SnapshotId}"},
    {"ec2", "ModifySnapshotAttribute", "!snapshot/{SnapshotId}"},
    {"ec2", "ResetSnapshotAttribute", "!snapshot/{SnapshotId}"},
    {"ec2", "CreateTags", "{id:ResourceId}"},
    {"ec2", "DeleteTags", "{id:ResourceId}"},
    // ---- EC2: spot requests and fleets
    {"ec2", "RequestSpotInstances",
     "spot-instances-request/* !image/{LaunchSpecification.ImageId} "
     "?key-pair/{LaunchSpecification.KeyName}"},
    {"ec2", "CancelSpotInstanceRequests", "spot-instances-request/{SpotInstanceRequestId}"},
    {"ec2", "RequestSpotFleet", "spot-fleet-request/*"},
    {"ec2", "CancelSpotFleetRequests", "spot-fleet-request/{SpotFleetRequestId}"},
    {"ec2", "ModifySpotFleetRequest", "spot-fleet-request/{SpotFleetRequestId}"},
    {"ec2", "DescribeSpotFleetInstances", "spot-fleet-request/{SpotFleetRequestId}"},
    {"ec2", "DescribeSpotFleetRequestHistory", "spot-fleet-request/{SpotFleetRequestId}"},
    {"ec2", "DescribeFleetHistory", "fleet/{FleetId}"},
    {"ec2", "DescribeFleetInstances", "fleet/{FleetId}"},
    {"ec2", "CreateFleet",
     "fleet/* "
     "?launch-template/{LaunchTemplateConfigs.LaunchTemplateSpecification.LaunchTemplateId} "
     "?launch-template/"
     "{template:LaunchTemplateConfigs.LaunchTemplateSpecification.LaunchTemplateName}"},
    {"ec2", "ModifyFleet", "fleet/{FleetId}"},
    {"ec2", "DeleteFleets", "fleet/{FleetId}"},
    // ---- EC2: networks, key pairs, addresses
    {"ec2", "CreateVpc", "vpc/*"},
    {"ec2", "DeleteVpc", "vpc/{VpcId}"},
    {"ec2", "ModifyVpcAttribute", "vpc/{VpcId}"},
    {"ec2", "DescribeVpcAttribute", "vpc/{VpcId}"},
    {"ec2", "ModifyVpcTenancy", "vpc/{VpcId}"},
    {"ec2", "CreateDhcpOptions", "dhcp-options/*"},
    {"ec2", "AssociateDhcpOptions", "dhcp-options/{DhcpOptionsId} vpc/{VpcId}"},
    {"ec2", "DeleteDhcpOptions", "dhcp-options/{DhcpOptionsId}"},
    {"ec2", "CreateSubnet", "subnet/* vpc/{VpcId}"},
    {"ec2", "DeleteSubnet", "subnet/{SubnetId}"},
    {"ec2", "ModifySubnetAttribute", "subnet/{SubnetId}"},
    {"ec2", "CreateSecurityGroup", "security-group/* ?vpc/{VpcId}"},
    {"ec2", "DeleteSecurityGroup", "security-group/{sg:GroupId|GroupName}"},
    {"ec2", "AuthorizeSecurityGroupIngress", "security-group/{sg:GroupId|GroupName}"},
    {"ec2", "AuthorizeSecurityGroupEgress", "security-group/{sg:GroupId|GroupName}"},
    {"ec2", "RevokeSecurityGroupIngress", "security-group/{sg:GroupId|GroupName}"},
    {"ec2", "RevokeSecurityGroupEgress", "security-group/{sg:GroupId|GroupName}"},
    {"ec2", "UpdateSecurityGroupRuleDescriptionsIngress", "security-group/{sg:GroupId|GroupName}"},
    {"ec2", "UpdateSecurityGroupRuleDescriptionsEgress", "security-group/{sg:GroupId|GroupName}"},
    {"ec2", "ModifySecurityGroupRules",
     "security-group/{GroupId} "
     "?security-group-rule/{SecurityGroupRule.SecurityGroupRuleId}"},
    {"ec2", "CreateInternetGateway", "internet-gateway/*"},
    {"ec2", "AttachInternetGateway", "internet-gateway/{InternetGatewayId} vpc/{VpcId}"},
    {"ec2", "DetachInternetGateway", "internet-gateway/{InternetGatewayId} vpc/{VpcId}"},
    {"ec2", "DeleteInternetGateway", "internet-gateway/{InternetGatewayId}"},
    {"ec2", "CreateRouteTable", "route-table/* vpc/{VpcId}"},
    {"ec2", "DeleteRouteTable", "route-table/{RouteTableId}"},
    {"ec2", "AssociateRouteTable", "route-table/{RouteTableId} ?subnet/{SubnetId}"},
    {"ec2", "DisassociateRouteTable", "route-table/{routes:AssociationId}"},
    {"ec2", "ReplaceRouteTableAssociation", "route-table/{RouteTableId}"},
    {"ec2", "CreateRoute", "route-table/{RouteTableId}"},
    {"ec2", "ReplaceRoute", "route-table/{RouteTableId}"},
    {"ec2", "DeleteRoute", "route-table/{RouteTableId}"},
    {"ec2", "CreateNetworkInterface", "network-interface/* subnet/{SubnetId}"},
    {"ec2", "AttachNetworkInterface",
     "instance/{InstanceId} network-interface/{NetworkInterfaceId}"},
    {"ec2", "DetachNetworkInterface", "network-interface/{attachment:AttachmentId}"},
    {"ec2", "AssignPrivateIpAddresses", "network-interface/{NetworkInterfaceId}"},
    {"ec2", "UnassignPrivateIpAddresses", "network-interface/{NetworkInterfaceId}"},
    {"ec2", "DeleteNetworkInterface", "network-interface/{NetworkInterfaceId}"},
    {"ec2", "ModifyNetworkInterfaceAttribute", "network-interface/{NetworkInterfaceId}"},
    {"ec2", "CreateKeyPair", "key-pair/{KeyName}"},
    {"ec2", "ImportKeyPair", "key-pair/{KeyName}"},
    {"ec2", "DeleteKeyPair", "key-pair/{key:KeyName|KeyPairId}"},
    {"ec2", "CreatePlacementGroup", "placement-group/{GroupName}"},
    {"ec2", "DeletePlacementGroup", "placement-group/{GroupName}"},
    {"ec2", "AllocateAddress", "elastic-ip/*"},
    {"ec2", "ReleaseAddress", "elastic-ip/{address:AllocationId|PublicIp}"},
    {"ec2", "AssociateAddress",
     "elastic-ip/{address:AllocationId|PublicIp} ?instance/{InstanceId} "
     "?network-interface/{NetworkInterfaceId}"},
    {"ec2", "DisassociateAddress", "elastic-ip/{address:AssociationId|PublicIp}"},
    // ---- S3: {Bucket}/{Key}
    {"s3", "ListBuckets", "*", "ListAllMyBuckets"},
    {"s3", "CreateBucket", "{Bucket}"},
    {"s3", "DeleteBucket", "{Bucket}"},
    {"s3", "HeadBucket", "{Bucket}", "ListBucket"},
    {"s3", "ListObjects", "{Bucket}", "ListBucket"},
    {"s3", "ListObjectsV2", "{Bucket}", "ListBucket"},
    {"s3", "ListMultipartUploads", "{Bucket}", "ListBucketMultipartUploads"},
    {"s3", "GetBucketLocation", "{Bucket}"},
    {"s3", "GetBucketVersioning", "{Bucket}"},
    {"s3", "GetBucketTagging", "{Bucket}"},
    {"s3", "PutBucketTagging", "{Bucket}"},
    {"s3", "DeleteBucketTagging", "{Bucket}", "PutBucketTagging"},
    {"s3", "GetBucketAcl", "{Bucket}"},
    {"s3", "PutBucketAcl", "{Bucket}"},
    {"s3", "GetBucketPolicy", "{Bucket}"},
    {"s3", "PutBucketPolicy", "{Bucket}"},
    {"s3", "DeleteBucketPolicy", "{Bucket}"},
    {"s3", "GetBucketCors", "{Bucket}", "GetBucketCORS"},
    {"s3", "PutBucketCors", "{Bucket}", "PutBucketCORS"},
    {"s3", "DeleteBucketCors", "{Bucket}", "PutBucketCORS"},
    {"s3", "GetBucketWebsite", "{Bucket}"},
    {"s3", "PutBucketWebsite", "{Bucket}"},
    {"s3", "DeleteBucketWebsite", "{Bucket}"},
    {"s3", "GetBucketEncryption", "{Bucket}", "GetEncryptionConfiguration"},
    {"s3", "PutBucketEncryption", "{Bucket}", "PutEncryptionConfiguration"},
    {"s3", "DeleteBucketEncryption", "{Bucket}", "PutEncryptionConfiguration"},
    {"s3", "GetBucketLifecycleConfiguration", "{Bucket}", "GetLifecycleConfiguration"},
    {"s3", "PutBucketLifecycleConfiguration", "{Bucket}", "PutLifecycleConfiguration"},
    {"s3", "DeleteBucketLifecycle", "{Bucket}", "PutLifecycleConfiguration"},
    {"s3", "GetPublicAccessBlock", "{Bucket}", "GetBucketPublicAccessBlock"},
    {"s3", "PutPublicAccessBlock", "{Bucket}", "PutBucketPublicAccessBlock"},
    {"s3", "DeletePublicAccessBlock", "{Bucket}", "PutBucketPublicAccessBlock"},
    {"s3", "GetBucketOwnershipControls", "{Bucket}"},
    {"s3", "PutBucketOwnershipControls", "{Bucket}"},
    {"s3", "DeleteBucketOwnershipControls", "{Bucket}", "PutBucketOwnershipControls"},
    {"s3", "GetBucketReplication", "{Bucket}", "GetReplicationConfiguration"},
    {"s3", "GetObjectLockConfiguration", "{Bucket}", "GetBucketObjectLockConfiguration"},
    {"s3", "GetBucketNotificationConfiguration", "{Bucket}", "GetBucketNotification"},
    {"s3", "GetBucketLogging", "{Bucket}"},
    {"s3", "GetBucketRequestPayment", "{Bucket}"},
    {"s3", "GetBucketAccelerateConfiguration", "{Bucket}", "GetAccelerateConfiguration"},
    {"s3", "GetObject", "{Bucket}/{Key}"},
    {"s3", "HeadObject", "{Bucket}/{Key}", "GetObject"},
    {"s3", "GetObjectAttributes", "{Bucket}/{Key}"},
    {"s3", "GetObjectAcl", "{Bucket}/{Key}"},
    {"s3", "GetObjectTagging", "{Bucket}/{Key}"},
    {"s3", "PutObjectTagging", "{Bucket}/{Key}"},
    {"s3", "DeleteObjectTagging", "{Bucket}/{Key}"},
    {"s3", "PutObject", "{Bucket}/{Key}"},
    {"s3", "CopyObject", "{Bucket}/{Key}", "PutObject"},
    {"s3", "DeleteObject", "{Bucket}/{Key}"},
    {"s3", "DeleteObjects", "{Bucket}/{Delete.Object.Key}", "DeleteObject"},
    {"s3", "CreateMultipartUpload", "{Bucket}/{Key}", "PutObject"},
    {"s3", "UploadPart", "{Bucket}/{Key}", "PutObject"},
    {"s3", "UploadPartCopy", "{Bucket}/{Key}", "PutObject"},
    {"s3", "CompleteMultipartUpload", "{Bucket}/{Key}", "PutObject"},
    {"s3", "AbortMultipartUpload", "{Bucket}/{Key}"},
    {"s3", "ListParts", "{Bucket}/{Key}", "ListMultipartUploadParts"},
};

}  // namespace

const PermissionRow* find_row(std::string_view service, std::string_view operation) {
  using Rows = std::map<std::pair<std::string_view, std::string_view>, const PermissionRow*>;
  static const Rows kAll = [] {
    Rows all;
    for (const PermissionRow& row : kRows) all.emplace(std::pair(row.service, row.operation), &row);
    for (const PermissionRow& row : service_rows())
      all.emplace(std::pair(row.service, row.operation), &row);
    return all;
  }();
  const auto found = kAll.find({service, operation});
  return found == kAll.end() ? nullptr : found->second;
}

}  // namespace fakes::authorisation
