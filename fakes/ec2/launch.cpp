#include "fakes/ec2/launch.h"

#include <algorithm>

#include "base/base64.h"
#include "fakes/ec2/vpc.h"

namespace fakes::ec2 {
namespace {

using sim::cloud::ApiError;
using sim::cloud::LaunchSpec;

// "us-west-2a, us-west-2b" → its parts; a text without a comma is one part.
std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const auto end = std::min(text.find(',', begin), text.size());
    const auto first = text.find_first_not_of(' ', begin);
    if (first < end) {
      const auto last = text.find_last_not_of(' ', end - 1);
      parts.push_back(text.substr(first, last - first + 1));
    }
    begin = end + 1;
  }
  return parts;
}

// The root device's size and type do not matter here, nor do instance store volumes; a further EBS
// volume at launch is not modelled, and free data would be wrong.
void read_block_devices(const Parameters& in) {
  for (const auto& mapping : in.structures("BlockDeviceMapping")) {
    const std::string device = mapping.required("DeviceName");
    const bool root = device == "/dev/sda1" || device == "/dev/xvda";
    if (!root) mapping.refuse("Ebs");
    mapping.accept("Ebs");
    mapping.accept("VirtualName");
    mapping.accept("NoDevice");
  }
}

void read_network(const Parameters& in, const LaunchNames& names, LaunchSpec& spec,
                  std::string& subnets, const Call& call) {
  auto& groups = spec.security_group_ids;
  if (!names.security_group_ids.empty()) groups = in.list(names.security_group_ids);
  if (!names.security_group_names.empty()) {
    for (const auto& name : in.list(names.security_group_names)) {
      groups.push_back(security_group_id(call, name));
    }
  }
  if (!names.groups.empty()) {
    for (const auto& group : in.structures(names.groups)) {
      const auto id = group.text("GroupId");
      const auto name = group.text("GroupName");
      groups.push_back(id ? *id : security_group_id(call, name.value_or("default")));
    }
  }
  for (const auto& interface : in.structures(names.network_interfaces)) {
    if (!subnets.empty() || !groups.empty()) {
      throw ApiError(
          "InvalidParameterCombination",
          "Network interfaces and an instance-level subnet ID or security groups may not be "
          "specified on the same request");
    }
    if (interface.integer("DeviceIndex").value_or(0) != 0) interface.refuse("DeviceIndex");
    interface.refuse("NetworkInterfaceId");
    subnets = interface.text("SubnetId").value_or("");
    groups = interface.list("SecurityGroupId");
    interface.accept("AssociatePublicIpAddress");
    interface.accept("DeleteOnTermination");
    interface.accept("Description");
    interface.accept("InterfaceType");
    break;  // a second one stays unread, and so is refused
  }
  for (const std::string& group : groups) check_security_group_id(group);
}

LaunchSpec read_machine(const Parameters& in) {
  LaunchSpec spec;
  spec.image_id = in.text("ImageId").value_or("");
  spec.instance_type = in.text("InstanceType").value_or("");
  spec.key_name = in.text("KeyName").value_or("");
  spec.user_data = read_user_data(in);
  const Parameters profile = in.structure("IamInstanceProfile");
  const auto arn = profile.text("Arn"), name = profile.text("Name");
  if (arn && name) {
    throw ApiError("InvalidParameterCombination",
                   "The parameter 'iamInstanceProfile.name' may not be used in combination with "
                   "'iamInstanceProfile.arn'");
  }
  spec.iam_instance_profile = arn ? *arn : name.value_or("");
  read_block_devices(in);
  for (const char* unimportant :
       {"EbsOptimized", "KernelId", "RamdiskId", "Monitoring", "AddressingType"}) {
    in.accept(unimportant);
  }
  return spec;
}

// "us-west-2a, us-west-2b"; empty where EC2 is to choose.
std::string read_zones(const Parameters& in) {
  const Parameters placement = in.structure("Placement");
  placement.choice("Tenancy", {"default"});
  if (placement.text("GroupName").value_or("") != "") placement.refuse("GroupName");
  return placement.text("AvailabilityZone").value_or("");
}

}  // namespace

void fill_in_defaults(const Call& call, LaunchSpec& spec) {
  if (spec.instance_type.empty()) spec.instance_type = "m1.small";
  if (spec.security_group_ids.empty())
    spec.security_group_ids.push_back(security_group_id(call, "default"));
}

bool read_v2_required(const Parameters& in) {
  const Parameters metadata = in.structure("MetadataOptions");
  metadata.accept("HttpPutResponseHopLimit");  // no guest has hops to its metadata service
  metadata.choice("HttpEndpoint", {"enabled"});
  metadata.choice("HttpProtocolIpv6", {"disabled"});
  metadata.choice("InstanceMetadataTags", {"disabled"});
  return metadata.choice("HttpTokens", {"optional", "required"}) == "required";
}

LaunchSpec read_launch_template(const Call& call, const Parameters& in) {
  LaunchSpec spec = read_machine(in);
  spec.availability_zone = read_zones(in);
  spec.subnet_id = in.text("SubnetId").value_or("");
  read_network(in,
               {.network_interfaces = "NetworkInterface",
                .security_group_ids = "SecurityGroupId",
                .security_group_names = "SecurityGroup"},
               spec, spec.subnet_id, call);
  spec.imds_v2_required = read_v2_required(in);
  spec.tags = read_tag_specification(in, "instance", "TagSpecification",
                                     {"volume", "network-interface", "spot-instances-request"});
  in.choice("InstanceInitiatedShutdownBehavior", {"terminate"});  // stopping is not modelled
  for (const char* name : {"InstanceMarketOptions", "InstanceRequirements", "HibernationOptions"})
    in.refuse(name);
  return spec;
}

std::vector<LaunchSpec> read_launch(const Call& call, const Parameters& in,
                                    const LaunchNames& names) {
  in.required("ImageId");
  LaunchSpec spec = read_machine(in);
  std::string subnets = in.text("SubnetId").value_or("");
  const auto zones = split(read_zones(in));
  read_network(in, names, spec, subnets, call);
  fill_in_defaults(call, spec);

  std::vector<LaunchSpec> specs;
  for (const auto& subnet : split(subnets)) {
    spec.subnet_id = subnet;
    spec.availability_zone = zone_of_subnet(call, subnet);
    if (!zones.empty() &&
        std::find(zones.begin(), zones.end(), spec.availability_zone) == zones.end()) {
      throw ApiError("InvalidParameterValue",
                     "The subnet '" + subnet + "' is not in the Availability Zone asked for");
    }
    specs.push_back(spec);
  }
  if (!specs.empty()) return specs;
  for (const auto& zone : zones) {
    spec.availability_zone = zone;
    specs.push_back(spec);
  }
  if (specs.empty()) specs.push_back(spec);
  return specs;
}

void add_launch(Node out, const Call& call, const LaunchSpec& spec) {
  add_groups(out, spec.security_group_ids);
  if (!spec.iam_instance_profile.empty()) {
    const bool arn = spec.iam_instance_profile.starts_with("arn:");
    add_text(out.append_child("iamInstanceProfile"), arn ? "arn" : "name",
             spec.iam_instance_profile);
  }
  add_text(out, "imageId", spec.image_id);
  add_text(out, "instanceType", spec.instance_type);
  if (!spec.key_name.empty()) add_text(out, "keyName", spec.key_name);
  add_flag(out.append_child("monitoring"), "enabled", false);
  if (!spec.availability_zone.empty()) {
    Node placement = out.append_child("placement");
    add_text(placement, "availabilityZone", spec.availability_zone);
    add_text(placement, "tenancy", "default");
  }
  const auto subnet = spec.subnet_id.empty() && !spec.availability_zone.empty()
                          ? subnet_id(call, spec.availability_zone)
                          : spec.subnet_id;
  if (!subnet.empty()) add_text(out, "subnetId", subnet);
  if (!spec.user_data.empty()) add_text(out, "userData", base::base64_encode(spec.user_data));
}

}  // namespace fakes::ec2
