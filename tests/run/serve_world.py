"""A cloud with something of everything in it, at `--speed manual`: instances, volumes, snapshots,
requests and fleets are looked at in each state that they go through."""
import base64

AMI = "ami-0123456789abcdef0"
ZONE = "us-west-2b"
POOL = f"p3.2xlarge/{ZONE}"
ROLE = "arn:aws:iam::123456789012:role/fleet"
DESCRIBED = (
    ("DescribeInstances", {}), ("DescribeInstanceStatus", {"IncludeAllInstances": True}),
    ("DescribeVolumes", {}), ("DescribeVolumeStatus", {}), ("DescribeSnapshots", {}),
    ("DescribeVolumesModifications", {}),
    ("DescribeImages", {"Owners": ["self"]}),
    ("DescribeSpotInstanceRequests", {}), ("DescribeSpotFleetRequests", {}),
    ("DescribeFleets", {}), ("DescribeLaunchTemplates", {}), ("DescribeTags", {}),
    ("DescribeIamInstanceProfileAssociations", {}))
FIXED = (
    ("DescribeImages", {"Owners": ["amazon"]}), ("DescribeInstanceTypes", {}),
    ("DescribeSpotPriceHistory", {}),
    ("DescribeAccountAttributes", {}), ("DescribeInstanceTypeOfferings", {}),
    ("GetSpotPlacementScores", {"InstanceTypes": ["p3.2xlarge"], "TargetCapacity": 2}),
    ("GetInstanceTypesFromInstanceRequirements", {
        "ArchitectureTypes": ["x86_64"], "VirtualizationTypes": ["hvm"], "InstanceRequirements": {
            "VCpuCount": {"Min": 2}, "MemoryMiB": {"Min": 1024}, "AcceleratorNames": ["v100"]}}),
    ("DescribeAvailabilityZones", {}), ("DescribeRegions", {}), ("DescribeSubnets", {}),
    ("DescribeVpcs", {}), ("DescribeSecurityGroups", {}), ("DescribeSecurityGroupRules", {}),
    ("DescribeInternetGateways", {}), ("DescribeRouteTables", {}), ("DescribeNetworkAcls", {}),
    ("DescribeNetworkInterfaces", {}), ("DescribeAddresses", {}),
    ("DescribeKeyPairs", {"IncludePublicKey": True}), ("DescribePlacementGroups", {}),
    ("DescribeDhcpOptions", {}), ("DescribeInstanceCreditSpecifications", {}))
STRATEGIES = {"cluster": {}, "spread": {"SpreadLevel": "rack"}, "partition": {"PartitionCount": 3}}


def tagged(kind, value="grün & <blau>"):
    return [{"ResourceType": kind, "Tags": [{"Key": "Name", "Value": value},
                                            {"Key": "empty", "Value": ""}]}]


class World:
    def __init__(self, served, ec2):
        self.served, self.call, self.has_pages = served, ec2.call, ec2.has_pages
        self.fleets, self.ec2_fleets = [], []

    def look(self):
        for action, parameters in DESCRIBED:
            self.call(action, **parameters)
        for fleet in self.fleets:
            self.call("DescribeSpotFleetInstances", SpotFleetRequestId=fleet)
            self.call("DescribeSpotFleetRequestHistory", SpotFleetRequestId=fleet,
                      StartTime="2019-11-05T00:00:00Z")
        for fleet in self.ec2_fleets:
            shown = self.call("DescribeFleets", FleetIds=[fleet])["Fleets"][0]
            if shown["Type"] == "instant":
                continue
            self.call("DescribeFleetInstances", FleetId=fleet)
            self.call("DescribeFleetHistory", FleetId=fleet, StartTime="2019-11-05T00:00:00Z")

    def wait(self, *durations):
        """Looks, moves the clock, and looks again."""
        self.look()
        for duration in durations:
            status, text = self.served.control("clock", {"by": duration})
            assert status == 200, text
            self.look()

    def control(self, what, **body):
        status, text = self.served.control(what, body)
        assert status == 200, f"{what} {body}: {text}"
        self.look()

    def launch(self, count=1, **more):
        launched = self.call(
            "RunInstances", ImageId=AMI, InstanceType="p3.2xlarge", MinCount=1, MaxCount=count,
            Placement={"AvailabilityZone": ZONE}, **more)
        return [instance["InstanceId"] for instance in launched["Instances"]]

    def make(self):
        for action, parameters in FIXED:
            self.call(action, **parameters)
        self.network()
        self.instances()
        self.volumes()
        self.images()
        self.requests()
        self.make_fleets()
        self.interruptions()
        self.end()

    def network(self):
        """A VPC with a public subnet, a group and an instance in it."""
        vpc = self.call("CreateVpc", CidrBlock="10.0.0.0/16",
                        TagSpecifications=tagged("vpc"))["Vpc"]["VpcId"]
        for attribute in "enableDnsHostnames", "enableDnsSupport":
            self.call("DescribeVpcAttribute", VpcId=vpc, Attribute=attribute)
        self.call("ModifyVpcAttribute", VpcId=vpc, EnableDnsHostnames={"Value": True})
        subnet = self.call("CreateSubnet", VpcId=vpc, CidrBlock="10.0.1.0/24",
                           AvailabilityZone=ZONE, TagSpecifications=tagged("subnet"))
        subnet = subnet["Subnet"]["SubnetId"]
        self.call("ModifySubnetAttribute", SubnetId=subnet, MapPublicIpOnLaunch={"Value": True})
        group = self.security_group(vpc)
        gateway, table, association = self.routes(vpc, subnet)
        self.keys()
        self.placement_groups()
        self.dhcp_options(vpc)
        instance = self.call(
            "RunInstances", ImageId=AMI, InstanceType="p3.2xlarge", MinCount=1, MaxCount=1,
            Placement={"GroupName": "partition", "PartitionNumber": 2},
            SubnetId=subnet, SecurityGroupIds=[group], KeyName="me")["Instances"][0]["InstanceId"]
        self.wait("1s", "1m")
        self.address(instance)
        self.interface(subnet, group, instance)
        for action, parameters in FIXED:
            self.call(action, **parameters)
        self.call("TerminateInstances", InstanceIds=[instance])
        self.wait("2m")
        for strategy in STRATEGIES:
            self.call("DeletePlacementGroup", GroupName=strategy)
        self.delete_network(vpc, subnet, group, gateway, table, association)

    def placement_groups(self):
        for strategy, more in STRATEGIES.items():
            self.call("CreatePlacementGroup", GroupName=strategy, Strategy=strategy, **more,
                      TagSpecifications=tagged("placement-group"))

    def dhcp_options(self, vpc):
        made = self.call("CreateDhcpOptions", TagSpecifications=tagged("dhcp-options"),
                         DhcpConfigurations=[{"Key": "domain-name", "Values": ["example.com"]}])
        options = made["DhcpOptions"]["DhcpOptionsId"]
        self.call("AssociateDhcpOptions", DhcpOptionsId=options, VpcId=vpc)
        self.call("DescribeDhcpOptions")
        self.call("DescribeVpcs", VpcIds=[vpc])
        self.call("AssociateDhcpOptions", DhcpOptionsId="default", VpcId=vpc)
        self.call("DeleteDhcpOptions", DhcpOptionsId=options)
        self.call("ModifyVpcTenancy", VpcId=vpc, InstanceTenancy="default")

    def interface(self, subnet, group, instance):
        """A further interface of the instance."""
        made = self.call("CreateNetworkInterface", SubnetId=subnet, Description="spare",
                         Groups=[group], SecondaryPrivateIpAddressCount=1,
                         TagSpecifications=tagged("network-interface"))
        interface = made["NetworkInterface"]["NetworkInterfaceId"]
        attachment = self.call("AttachNetworkInterface", NetworkInterfaceId=interface,
                               InstanceId=instance, DeviceIndex=1)["AttachmentId"]
        self.call("DescribeInstances", InstanceIds=[instance])
        assigned = self.call("AssignPrivateIpAddresses", NetworkInterfaceId=interface,
                             SecondaryPrivateIpAddressCount=1)["AssignedPrivateIpAddresses"]
        self.call("UnassignPrivateIpAddresses", NetworkInterfaceId=interface,
                  PrivateIpAddresses=[assigned[0]["PrivateIpAddress"]])
        for change in ({"Description": {"Value": "of a test"}}, {"Groups": [group]},
                       {"SourceDestCheck": {"Value": False}},
                       {"Attachment": {"AttachmentId": attachment, "DeleteOnTermination": True}}):
            self.call("ModifyNetworkInterfaceAttribute", NetworkInterfaceId=interface, **change)
        self.call("DescribeNetworkInterfaces", NetworkInterfaceIds=[interface])
        for attribute in "attachment", "description", "groupSet", "sourceDestCheck":
            self.call("DescribeNetworkInterfaceAttribute", NetworkInterfaceId=interface,
                      Attribute=attribute)
        self.call("DetachNetworkInterface", AttachmentId=attachment)
        self.call("DeleteNetworkInterface", NetworkInterfaceId=interface)

    def security_group(self, vpc):
        group = self.call("CreateSecurityGroup", GroupName="web", Description="of the web",
                          VpcId=vpc, TagSpecifications=tagged("security-group"))["GroupId"]
        web = [{"IpProtocol": "tcp", "FromPort": 80, "ToPort": 80,
                "IpRanges": [{"CidrIp": "0.0.0.0/0", "Description": "all"}],
                "Ipv6Ranges": [{"CidrIpv6": "::/0"}]},
               {"IpProtocol": "-1", "UserIdGroupPairs": [{"GroupId": group}],
                "PrefixListIds": [{"PrefixListId": "pl-02cd2c6b"}]}]
        rules = self.call("AuthorizeSecurityGroupIngress", GroupId=group, IpPermissions=web,
                          TagSpecifications=tagged("security-group-rule"))["SecurityGroupRules"]
        self.call("AuthorizeSecurityGroupEgress", GroupId=group, IpPermissions=[
            {"IpProtocol": "icmp", "FromPort": 8, "ToPort": -1,
             "IpRanges": [{"CidrIp": "10.0.0.0/8"}]}])
        self.call("DescribeSecurityGroups", GroupIds=[group])
        self.rules(group, rules[0]["SecurityGroupRuleId"])
        self.call("RevokeSecurityGroupIngress", GroupId=group,
                  SecurityGroupRuleIds=[rules[0]["SecurityGroupRuleId"]])
        self.call("RevokeSecurityGroupEgress", GroupId=group, IpPermissions=[
            {"IpProtocol": "-1", "IpRanges": [{"CidrIp": "0.0.0.0/0"}]}])
        return group

    def rules(self, group, rule):
        described = [{"SecurityGroupRuleId": rule, "Description": "the web"}]
        self.call("UpdateSecurityGroupRuleDescriptionsIngress", GroupId=group,
                  SecurityGroupRuleDescriptions=described)
        self.call("UpdateSecurityGroupRuleDescriptionsEgress", GroupId=group, IpPermissions=[
            {"IpProtocol": "icmp", "FromPort": 8, "ToPort": -1,
             "IpRanges": [{"CidrIp": "10.0.0.0/8", "Description": "ping"}]}])
        self.call("ModifySecurityGroupRules", GroupId=group, SecurityGroupRules=[
            {"SecurityGroupRuleId": rule, "SecurityGroupRule": {
                "IpProtocol": "tcp", "FromPort": 443, "ToPort": 443, "CidrIpv4": "0.0.0.0/0"}}])

    def routes(self, vpc, subnet):
        gateway = self.call("CreateInternetGateway", TagSpecifications=tagged("internet-gateway"))
        gateway = gateway["InternetGateway"]["InternetGatewayId"]
        self.call("AttachInternetGateway", InternetGatewayId=gateway, VpcId=vpc)
        one, two = (self.call("CreateRouteTable", VpcId=vpc, TagSpecifications=tagged(
            "route-table"))["RouteTable"]["RouteTableId"] for _ in range(2))
        self.call("CreateRoute", RouteTableId=one, DestinationCidrBlock="0.0.0.0/0",
                  GatewayId=gateway)
        self.call("ReplaceRoute", RouteTableId=one, DestinationCidrBlock="0.0.0.0/0",
                  GatewayId=gateway)
        made = self.call("AssociateRouteTable", RouteTableId=two, SubnetId=subnet)
        made = self.call("ReplaceRouteTableAssociation", AssociationId=made["AssociationId"],
                         RouteTableId=one)["NewAssociationId"]
        self.call("DescribeRouteTables", RouteTableIds=[one])
        self.call("DeleteRouteTable", RouteTableId=two)
        return gateway, one, made

    def keys(self):
        self.call("CreateKeyPair", KeyName="me", TagSpecifications=tagged("key-pair"))
        self.call("CreateKeyPair", KeyName="gone", KeyType="ed25519")
        known = self.call("DescribeKeyPairs", KeyNames=["gone"],
                          IncludePublicKey=True)["KeyPairs"][0]
        self.call("ImportKeyPair", KeyName="theirs", PublicKeyMaterial=known["PublicKey"])
        self.call("DeleteKeyPair", KeyName="gone")

    def address(self, instance):
        made = self.call("AllocateAddress", Domain="vpc", TagSpecifications=tagged("elastic-ip"))
        associated = self.call("AssociateAddress", AllocationId=made["AllocationId"],
                               InstanceId=instance)["AssociationId"]
        self.look()
        self.call("DescribeAddresses", PublicIps=[made["PublicIp"]])
        self.call("DescribeNetworkInterfaces", Filters=[
            {"Name": "attachment.instance-id", "Values": [instance]}])
        self.call("DisassociateAddress", AssociationId=associated)
        self.call("ReleaseAddress", AllocationId=made["AllocationId"])

    def delete_network(self, vpc, subnet, group, gateway, table, association):
        self.call("DisassociateRouteTable", AssociationId=association)
        self.call("DeleteRoute", RouteTableId=table, DestinationCidrBlock="0.0.0.0/0")
        self.call("DeleteRouteTable", RouteTableId=table)
        self.call("DetachInternetGateway", InternetGatewayId=gateway, VpcId=vpc)
        self.call("DeleteInternetGateway", InternetGatewayId=gateway)
        self.call("DeleteSubnet", SubnetId=subnet)
        self.call("DeleteSecurityGroup", GroupId=group)
        self.call("DeleteVpc", VpcId=vpc)
        self.default_vpc()

    def default_vpc(self):
        """The default VPC goes, and another one comes."""
        vpc = self.call("DescribeVpcs")["Vpcs"][0]["VpcId"]
        here = [{"Name": "vpc-id", "Values": [vpc]}]
        for subnet in self.call("DescribeSubnets", Filters=here)["Subnets"]:
            self.call("DeleteSubnet", SubnetId=subnet["SubnetId"])
        self.call("CreateDefaultSubnet", AvailabilityZone=ZONE)
        subnet = self.call("DescribeSubnets", Filters=here)["Subnets"][0]["SubnetId"]
        self.call("DeleteSubnet", SubnetId=subnet)
        gateway = self.call("DescribeInternetGateways")["InternetGateways"][0]["InternetGatewayId"]
        self.call("DetachInternetGateway", InternetGatewayId=gateway, VpcId=vpc)
        self.call("DeleteInternetGateway", InternetGatewayId=gateway)
        self.call("DeleteVpc", VpcId=vpc)
        self.call("CreateDefaultVpc")

    def instances(self):
        group = self.call("DescribeSecurityGroups")["SecurityGroups"][0]["GroupId"]
        self.on_demand = self.launch(
            2, KeyName="me", SecurityGroupIds=[group], IamInstanceProfile={"Name": "job"},
            UserData=base64.b64encode(b"#!/bin/bash\n").decode(),
            MetadataOptions={"HttpTokens": "required"}, TagSpecifications=tagged("instance"))
        self.spot = self.launch(3, InstanceMarketOptions={
            "MarketType": "spot", "SpotOptions": {"MaxPrice": "3.06"}})
        burstable = self.call(
            "RunInstances", ImageId=AMI, InstanceType="t3.micro", MinCount=1, MaxCount=1,
            CreditSpecification={"CpuCredits": "unlimited"})["Instances"][0]["InstanceId"]
        self.call("DescribeInstanceCreditSpecifications")
        self.call("TerminateInstances", InstanceIds=[burstable])
        self.wait("1s", "4s", "30s", "5m")
        self.call("GetConsoleOutput", InstanceId=self.on_demand[0], Latest=True)
        self.call("RebootInstances", InstanceIds=[self.on_demand[0]])
        self.call("MonitorInstances", InstanceIds=[self.on_demand[0]])
        self.call("UnmonitorInstances", InstanceIds=[self.on_demand[0]])
        self.call("ModifyInstanceMetadataOptions", InstanceId=self.on_demand[0],
                  HttpEndpoint="disabled", HttpPutResponseHopLimit=2)
        self.call("StopInstances", InstanceIds=[self.on_demand[0]], Force=True)
        self.wait("2m")
        for change in ({"InstanceType": {"Value": "p3.2xlarge"}}, {"EbsOptimized": {"Value": True}},
                       {"UserData": {"Value": b"#!/bin/sh\n"}}):
            self.call("ModifyInstanceAttribute", InstanceId=self.on_demand[0], **change)
        self.call("StartInstances", InstanceIds=[self.on_demand[0]])
        self.wait("2m")
        self.attributes(self.on_demand[0])
        self.profiles(self.on_demand[1])

    def profiles(self, instance):
        """Takes the instance's profile, gives it one again, and another one."""
        described = self.call("DescribeIamInstanceProfileAssociations", Filters=[
            {"Name": "instance-id", "Values": [instance]}])
        association = described["IamInstanceProfileAssociations"][0]["AssociationId"]
        self.call("DisassociateIamInstanceProfile", AssociationId=association)
        made = self.call("AssociateIamInstanceProfile", InstanceId=instance,
                         IamInstanceProfile={"Name": "job"})
        self.call("ReplaceIamInstanceProfileAssociation",
                  AssociationId=made["IamInstanceProfileAssociation"]["AssociationId"],
                  IamInstanceProfile={"Name": "other"})

    def attributes(self, instance):
        for attribute in ("blockDeviceMapping", "disableApiStop", "disableApiTermination",
                          "ebsOptimized", "enclaveOptions", "groupSet",
                          "instanceInitiatedShutdownBehavior", "instanceType", "kernel",
                          "productCodes", "ramdisk", "rootDeviceName", "sourceDestCheck",
                          "sriovNetSupport", "userData"):
            self.call("DescribeInstanceAttribute", InstanceId=instance, Attribute=attribute)
        for held in True, False:
            self.call("ModifyInstanceAttribute", InstanceId=instance,
                      DisableApiTermination={"Value": held})

    def volumes(self):
        volume = self.call("CreateVolume", AvailabilityZone=ZONE, Size=100, VolumeType="gp2",
                           TagSpecifications=tagged("volume"))["VolumeId"]
        self.wait("30s")
        self.call("AttachVolume", VolumeId=volume, InstanceId=self.on_demand[0],
                  Device="/dev/sdf")
        self.wait("30s")
        snapshot = self.call("CreateSnapshot", VolumeId=volume, Description="of <one>",
                             TagSpecifications=tagged("snapshot"))["SnapshotId"]
        self.wait("10s", "1h")
        self.shared(volume, snapshot)
        self.call("ModifyVolume", VolumeId=volume, Size=200, VolumeType="gp3", Throughput=250)
        self.wait("10s", "1h", "1h")
        self.call("CopySnapshot", SourceSnapshotId=snapshot, SourceRegion="us-west-2",
                  Encrypted=True)
        self.call("DetachVolume", VolumeId=volume)
        copy = self.call("CreateVolume", AvailabilityZone=ZONE, SnapshotId=snapshot, Iops=4000,
                         VolumeType="gp3", Throughput=250, Encrypted=True)["VolumeId"]
        self.wait("1s", "30s")
        self.call("DeleteVolume", VolumeId=volume)
        self.look()
        self.call("CreateTags", Resources=[copy, snapshot], Tags=[{"Key": "a", "Value": "b"}])
        self.look()
        self.call("DeleteTags", Resources=[copy], Tags=[{"Key": "a"}])
        self.call("AttachVolume", VolumeId=copy, InstanceId=self.on_demand[1], Device="/dev/sdg")
        self.wait("30s")
        self.snapshot = snapshot

    def shared(self, volume, snapshot):
        self.call("CreateSnapshots", Description="of an instance", CopyTagsFromSource="volume",
                  InstanceSpecification={"InstanceId": self.on_demand[1]},
                  TagSpecifications=tagged("snapshot"))
        for attribute in "autoEnableIO", "productCodes":
            self.call("DescribeVolumeAttribute", VolumeId=volume, Attribute=attribute)
        self.call("ModifyVolumeAttribute", VolumeId=volume, AutoEnableIO={"Value": True})
        self.call("ModifySnapshotAttribute", SnapshotId=snapshot, CreateVolumePermission={
            "Add": [{"UserId": "210987654321"}, {"Group": "all"}]})
        for attribute in "createVolumePermission", "productCodes":
            self.call("DescribeSnapshotAttribute", SnapshotId=snapshot, Attribute=attribute)
        self.call("ResetSnapshotAttribute", SnapshotId=snapshot,
                  Attribute="createVolumePermission")

    def images(self):
        made = self.call("CreateImage", InstanceId=self.on_demand[1], Name="of an instance",
                         Description="of <one>",
                         TagSpecifications=tagged("image") + tagged("snapshot"))["ImageId"]
        self.wait("30s", "30m")
        root, *_ = self.call("DescribeImages", ImageIds=[made])["Images"][0]["BlockDeviceMappings"]
        registered = self.call(
            "RegisterImage", Name="of a snapshot", RootDeviceName=root["DeviceName"],
            VirtualizationType="hvm", Architecture="x86_64", ImdsSupport="v2.0",
            BlockDeviceMappings=[{"DeviceName": root["DeviceName"], "Ebs": {
                "SnapshotId": root["Ebs"]["SnapshotId"], "VolumeType": "gp3"}}])["ImageId"]
        self.call("ModifyImageAttribute", ImageId=made, Description={"Value": "shared"},
                  LaunchPermission={"Add": [{"UserId": "210987654321"}]})
        for attribute in "description", "launchPermission", "imdsSupport", "productCodes":
            self.call("DescribeImageAttribute", ImageId=made, Attribute=attribute)
        self.call("ResetImageAttribute", ImageId=made, Attribute="launchPermission")
        copy = self.call("CopyImage", Name="a copy", SourceImageId=made, SourceRegion="us-west-2",
                         CopyImageTags=True)["ImageId"]
        self.wait("1s", "30m")
        for image in made, registered, copy:
            self.call("DeregisterImage", ImageId=image)
        self.look()

    def request(self, **more):
        specification = {"ImageId": AMI, "InstanceType": "p3.2xlarge", "KeyName": "me",
                         "Placement": {"AvailabilityZone": ZONE}} | more.pop("Specification", {})
        made = self.call("RequestSpotInstances", LaunchSpecification=specification, **more)
        return [one["SpotInstanceRequestId"] for one in made["SpotInstanceRequests"]]

    def requests(self):
        fulfilled = self.request(
            InstanceCount=2, TagSpecifications=tagged("spot-instances-request"))
        self.request(SpotPrice="0.001")                              # too low
        self.request(Specification={"InstanceType": "p2.xlarge"})    # sold out
        self.request(ValidFrom="2019-12-01T00:00:00Z", ValidUntil="2019-12-02T00:00:00Z")
        lasting = self.request(Type="persistent")
        self.wait("1s", "5s", "1m")
        self.call("CancelSpotInstanceRequests", SpotInstanceRequestIds=fulfilled[:1] + lasting)
        self.look()

    def fleet(self, launches):
        made = self.call("RequestSpotFleet", SpotFleetRequestConfig={
            "TargetCapacity": 2, "IamFleetRole": ROLE, "Type": "maintain", "SpotPrice": "3.06",
            "ClientToken": f"fleet-{len(self.fleets)}", "ValidUntil": "2019-12-01T00:00:00Z",
            "TerminateInstancesWithExpiration": True,
            "TagSpecifications": tagged("spot-fleet-request")} | launches)
        self.fleets.append(made["SpotFleetRequestId"])

    def ec2_fleet(self, kind, **override):
        rebalance = {"MaintenanceStrategies": {"CapacityRebalance": {
            "ReplacementStrategy": "launch-before-terminate", "TerminationDelay": 120}}}
        rebalance = rebalance if kind == "maintain" else {}
        made = self.call(
            "CreateFleet", Type=kind, ClientToken=f"ec2-fleet-{len(self.ec2_fleets)}",
            ValidUntil="2019-12-01T00:00:00Z", ReplaceUnhealthyInstances=kind == "maintain",
            LaunchTemplateConfigs=[
                {"LaunchTemplateSpecification": {"LaunchTemplateName": "trainer",
                                                 "Version": "$Latest"},
                 "Overrides": [{"AvailabilityZone": ZONE, "WeightedCapacity": 1, "Priority": 0,
                                **override}]}],
            TargetCapacitySpecification={"TotalTargetCapacity": 2, "OnDemandTargetCapacity": 1,
                                         "DefaultTargetCapacityType": "spot"},
            SpotOptions={"AllocationStrategy": "capacity-optimized-prioritized"} | rebalance,
            OnDemandOptions={"AllocationStrategy": "prioritized"},
            TagSpecifications=tagged("fleet"))
        self.ec2_fleets.append(made["FleetId"])

    def make_fleets(self):
        self.call("CreateLaunchTemplate", LaunchTemplateName="trainer",
                  TagSpecifications=tagged("launch-template"), LaunchTemplateData={
                      "ImageId": AMI, "InstanceType": "p3.2xlarge", "KeyName": "me",
                      "UserData": base64.b64encode(b"#!/bin/bash\n").decode(),
                      "IamInstanceProfile": {"Name": "job"},
                      "Placement": {"AvailabilityZone": ZONE},
                      "SecurityGroupIds": [self.call(
                          "DescribeSecurityGroups")["SecurityGroups"][0]["GroupId"]],
                      "TagSpecifications": tagged("instance")})
        self.call("CreateLaunchTemplateVersion", LaunchTemplateName="trainer", SourceVersion="1",
                  VersionDescription="on a volume", LaunchTemplateData={"BlockDeviceMappings": [
                      {"DeviceName": "/dev/sdf", "Ebs": {"VolumeSize": 10, "Encrypted": True}}]})
        self.call("CreateLaunchTemplateVersion", LaunchTemplateName="trainer",
                  LaunchTemplateData={"SecurityGroupIds": ["sg-1"]})
        self.call("DescribeLaunchTemplateVersions", LaunchTemplateName="trainer")
        self.call("ModifyLaunchTemplate", LaunchTemplateName="trainer", DefaultVersion="2")
        self.call("DeleteLaunchTemplateVersions", LaunchTemplateName="trainer",
                  Versions=["3", "2", "9"])
        group = self.call("DescribeSecurityGroups")["SecurityGroups"][0]["GroupId"]
        self.fleet({"AllocationStrategy": "lowestPrice", "SpotMaintenanceStrategies": {
            "CapacityRebalance": {"ReplacementStrategy": "launch"}}, "LaunchSpecifications": [
            {"ImageId": AMI, "InstanceType": "p3.2xlarge", "KeyName": "me", "SpotPrice": "3.0",
             "WeightedCapacity": 1, "SecurityGroups": [{"GroupId": group}],
             "UserData": base64.b64encode(b"#!/bin/bash\n").decode(),
             "IamInstanceProfile": {"Arn": "arn:aws:iam::123456789012:instance-profile/job"},
             "Placement": {"AvailabilityZone": "us-west-2a, us-west-2b"},
             "BlockDeviceMappings": [{"DeviceName": "/dev/sda1", "Ebs": {"VolumeSize": 80}}],
             "TagSpecifications": tagged("instance")}]})
        self.fleet({"AllocationStrategy": "capacityOptimizedPrioritized", "LaunchTemplateConfigs": [
            {"LaunchTemplateSpecification": {"LaunchTemplateName": "trainer", "Version": "$Latest"},
             "Overrides": [{"AvailabilityZone": ZONE, "Priority": 0, "SpotPrice": "2.9"},
                           {"AvailabilityZone": "us-west-2a", "Priority": 1}]}]})
        for kind in ("maintain", "request", "instant"):
            self.ec2_fleet(kind)
        self.ec2_fleet("instant", MaxPrice="0.001")
        self.ec2_fleet("instant", InstanceRequirements={
            "VCpuCount": {"Min": 8, "Max": 8}, "MemoryMiB": {"Min": 1024},
            "AcceleratorNames": ["v100"]})
        self.wait("1s", "10s", "2m")
        self.call("ModifyFleet", FleetId=self.ec2_fleets[0], TargetCapacitySpecification={
            "TotalTargetCapacity": 1}, ExcessCapacityTerminationPolicy="termination")
        self.call("ModifySpotFleetRequest", SpotFleetRequestId=self.fleets[0], TargetCapacity=1)
        self.wait("10s", "2m")

    def interruptions(self):
        self.control("interrupt", instance=self.spot[0], how="rebalance")
        self.control("interrupt", instance=self.spot[0], how="notice")
        self.control("interrupt", instance=self.spot[1], how="hard")
        self.wait("30s", "3m")
        self.control("price", pool=POOL, price="9.5")
        self.wait("30s", "3m")
        self.call("DescribeSpotPriceHistory", InstanceTypes=["p3.2xlarge"])
        for action, parameters in DESCRIBED + FIXED:
            if self.has_pages(action):
                least = 10 if action == "GetSpotPlacementScores" else 5
                self.call(action, **parameters, MaxResults=least)

    def end(self):
        unknown = "sfr-00000000-0000-4000-8000-000000000000"
        self.call("CancelSpotFleetRequests", TerminateInstances=True,
                  SpotFleetRequestIds=[self.fleets[0], unknown])
        self.call("CancelSpotFleetRequests", TerminateInstances=False,
                  SpotFleetRequestIds=self.fleets[1:])
        self.call("DeleteFleets", TerminateInstances=True, FleetIds=[
            *self.ec2_fleets, unknown, "fleet-00000000-0000-4000-8000-000000000000"])
        self.call("DeleteFleets", TerminateInstances=False, FleetIds=self.ec2_fleets[-1:])
        self.wait("1s", "2m")
        self.call("TerminateInstances", InstanceIds=self.on_demand)
        self.wait("1s", "10s", "2m")
        self.call("DeleteSnapshot", SnapshotId=self.snapshot)
        self.call("DeleteLaunchTemplate", LaunchTemplateName="trainer")
        self.look()
