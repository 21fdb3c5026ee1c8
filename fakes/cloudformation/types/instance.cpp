// AWS::EC2::Instance.
#include "api/ec2.h"
#include "fakes/cloudformation/types/ec2_tags.h"
#include "fakes/cloudformation/types/rows.h"

namespace fakes::cloudformation::instance {
namespace {

namespace ec2 = api::ec2::op;
using sim::Json;

constexpr std::string_view kAttributes[] = {"AvailabilityZone", "InstanceId",    "PrivateDnsName",
                                            "PrivateIp",        "PublicDnsName", "PublicIp"};
constexpr std::string_view kUpdated[] = {"Affinity",
                                         "BlockDeviceMappings",
                                         "CreditSpecification",
                                         "DisableApiTermination",
                                         "EbsOptimized",
                                         "IamInstanceProfile",
                                         "InstanceInitiatedShutdownBehavior",
                                         "InstanceType",
                                         "KernelId",
                                         "Monitoring",
                                         "RamdiskId",
                                         "SecurityGroupIds",
                                         "SourceDestCheck",
                                         "Tags",
                                         "Tenancy",
                                         "UserData",
                                         "Volumes"};
constexpr std::string_view kChanges[] = {"DisableApiTermination", "SecurityGroupIds", "Tags"};

api::ec2::Instance described(const ResourceCall& call) {
  const auto response = call.ask<ec2::DescribeInstances>({.instance_ids = {call.id()}});
  return response.reservations.at(0).instances.at(0);
}

// In templates a network interface has GroupSet; in EC2's API it has Groups.
void rename_groups(Properties& properties) {
  Json interfaces = properties.take("NetworkInterfaces");
  if (!interfaces.is_array()) return;
  for (Json& one : interfaces) {
    if (!one.is_object() || !one.contains("GroupSet")) continue;
    one["Groups"] = one["GroupSet"];
    one.erase("GroupSet");
  }
  properties.set("NetworkInterfaces", std::move(interfaces));
}

// Properties that RunInstances has inside a structure.
void gather(Properties& properties) {
  Json placement = Json::object();
  constexpr std::pair<const char*, const char*> kPlacement[] = {
      {"AvailabilityZone", "AvailabilityZone"},
      {"PlacementGroupName", "GroupName"},
      {"Tenancy", "Tenancy"}};
  for (const auto& [property, member] : kPlacement)
    if (Json value = properties.take(property); !value.is_null()) placement[member] = value;
  if (!placement.empty()) properties.set("Placement", std::move(placement));
  if (Json profile = properties.take("IamInstanceProfile"); !profile.is_null())
    properties.set("IamInstanceProfile", Json{{"Name", profile}});
  if (Json monitoring = properties.take("Monitoring"); !monitoring.is_null())
    properties.set("Monitoring", Json{{"Enabled", monitoring}});
}

std::string create(const ResourceCall& call) {
  Properties properties = call.properties();
  gather(properties);
  rename_groups(properties);
  properties.ignore({"SourceDestCheck", "PropagateTagsToVolumeOnCreation"});
  const Json volumes = properties.take("Volumes");
  if (!volumes.is_null() && !volumes.empty())
    throw not_simulated(call.resource.type,
                        "The property Volumes (use AWS::EC2::VolumeAttachment)");
  properties.tag_as("instance");
  properties.set("MinCount", "1");
  properties.set("MaxCount", "1");
  auto request = properties.request<ec2::RunInstances>();
  return call.ask<ec2::RunInstances>(request).instances.at(0).instance_id.value();
}

bool is_ready(const ResourceCall& call) {
  const auto instance = described(call);
  const std::string state = instance.state->name.value();
  if (state != "pending" && state != "running")
    throw sim::stacks::invalid(
        "Instance " + call.id() + " failed to stabilize. Current state: " + state +
        ". Reason: " + (instance.state_reason ? instance.state_reason->message.value_or("") : ""));
  return state == "running";
}

void update(const ResourceCall& call, const Json& before) {
  Properties now = call.properties();
  if (const auto protect = now.take_flag("DisableApiTermination"))
    call.ask<ec2::ModifyInstanceAttribute>(
        {.disable_api_termination = api::ec2::AttributeBooleanValue{.value = *protect},
         .instance_id = call.id()});
  if (const Json groups = now.take("SecurityGroupIds"); groups.is_array()) {
    ec2::ModifyInstanceAttribute::Request request{.instance_id = call.id()};
    for (const Json& group : groups) request.groups.push_back(group.get<std::string>());
    call.ask<ec2::ModifyInstanceAttribute>(request);
  }
  update_ec2_tags(call, before);
}

void remove(const ResourceCall& call) {
  call.ask<ec2::TerminateInstances>({.instance_ids = {call.id()}});
}

bool is_gone(const ResourceCall& call) { return described(call).state->name == "terminated"; }

Json attribute(const ResourceCall& call, const std::string& name) {
  const auto instance = described(call);
  if (name == "InstanceId") return call.id();
  if (name == "AvailabilityZone") return instance.placement->availability_zone.value_or("");
  if (name == "PrivateDnsName") return instance.private_dns_name.value_or("");
  if (name == "PrivateIp") return instance.private_ip_address.value_or("");
  if (name == "PublicDnsName") return instance.public_dns_name.value_or("");
  return instance.public_ip_address.value_or("");
}

}  // namespace

const Type kType{.traits = {.type = "AWS::EC2::Instance",
                            .attributes = kAttributes,
                            .updated = kUpdated,
                            .has_tags = true},
                 .create = create,
                 .remove = remove,
                 .is_ready = is_ready,
                 .is_gone = is_gone,
                 .attribute = attribute,
                 .update = update,
                 .changes = kChanges};

}  // namespace fakes::cloudformation::instance
