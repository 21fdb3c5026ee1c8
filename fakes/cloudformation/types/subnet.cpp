// AWS::EC2::Subnet.
#include "api/ec2.h"
#include "fakes/cloudformation/types/ec2_tags.h"
#include "fakes/cloudformation/types/rows.h"

namespace fakes::cloudformation::subnet {
namespace {

namespace ec2 = api::ec2::op;
using sim::Json;

constexpr std::string_view kAttributes[] = {"AvailabilityZone", "CidrBlock", "SubnetId", "VpcId"};
constexpr std::string_view kUpdated[] = {"MapPublicIpOnLaunch", "Tags"};

void set_public(const ResourceCall& call, const std::string& id, std::optional<bool> given) {
  if (!given) return;
  call.ask<ec2::ModifySubnetAttribute>(
      {.map_public_ip_on_launch = api::ec2::AttributeBooleanValue{.value = *given},
       .subnet_id = id});
}

std::string create(const ResourceCall& call) {
  Properties properties = call.properties();
  const auto gives_public = properties.take_flag("MapPublicIpOnLaunch");
  properties.tag_as("subnet");
  const auto made = call.ask<ec2::CreateSubnet>(properties.request<ec2::CreateSubnet>());
  const std::string id = made.subnet->subnet_id.value();
  undo_on_failure(
      id, [&] { set_public(call, id, gives_public); },
      [&] { call.ask<ec2::DeleteSubnet>({.subnet_id = id}); });
  return id;
}

void update(const ResourceCall& call, const Json& before) {
  set_public(call, call.id(), call.properties().take_flag("MapPublicIpOnLaunch").value_or(false));
  update_ec2_tags(call, before);
}

void remove(const ResourceCall& call) { call.ask<ec2::DeleteSubnet>({.subnet_id = call.id()}); }

Json attribute(const ResourceCall& call, const std::string& name) {
  if (name == "SubnetId") return call.id();
  const auto subnet = call.ask<ec2::DescribeSubnets>({.subnet_ids = {call.id()}}).subnets.at(0);
  if (name == "AvailabilityZone") return subnet.availability_zone.value();
  return name == "VpcId" ? subnet.vpc_id.value() : subnet.cidr_block.value();
}

}  // namespace

const Type kType{.traits = {.type = "AWS::EC2::Subnet",
                            .attributes = kAttributes,
                            .updated = kUpdated,
                            .has_tags = true},
                 .create = create,
                 .remove = remove,
                 .attribute = attribute,
                 .update = update,
                 .changes = kUpdated};

}  // namespace fakes::cloudformation::subnet
