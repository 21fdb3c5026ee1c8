// AWS::EC2::VPC.
#include "api/ec2.h"
#include "fakes/cloudformation/types/ec2_tags.h"
#include "fakes/cloudformation/types/rows.h"

namespace fakes::cloudformation::vpc {
namespace {

namespace ec2 = api::ec2::op;
using sim::Json;

constexpr std::string_view kAttributes[] = {"CidrBlock", "DefaultSecurityGroup", "VpcId"};
constexpr std::string_view kUpdated[] = {"EnableDnsHostnames", "EnableDnsSupport",
                                         "InstanceTenancy", "Tags"};
constexpr std::string_view kChanges[] = {"EnableDnsHostnames", "EnableDnsSupport", "Tags"};

// EC2 changes only one attribute in a call.
void set_names(const ResourceCall& call, const std::string& id, Properties& properties) {
  if (const auto support = properties.take_flag("EnableDnsSupport"))
    call.ask<ec2::ModifyVpcAttribute>(
        {.enable_dns_support = api::ec2::AttributeBooleanValue{.value = *support}, .vpc_id = id});
  if (const auto names = properties.take_flag("EnableDnsHostnames"))
    call.ask<ec2::ModifyVpcAttribute>(
        {.enable_dns_hostnames = api::ec2::AttributeBooleanValue{.value = *names}, .vpc_id = id});
}

std::string create(const ResourceCall& call) {
  Properties properties = call.properties();
  Properties names = call.properties();
  properties.take("EnableDnsSupport");
  properties.take("EnableDnsHostnames");
  properties.tag_as("vpc");
  const auto made = call.ask<ec2::CreateVpc>(properties.request<ec2::CreateVpc>());
  const std::string id = made.vpc->vpc_id.value();
  undo_on_failure(
      id, [&] { set_names(call, id, names); }, [&] { call.ask<ec2::DeleteVpc>({.vpc_id = id}); });
  return id;
}

void update(const ResourceCall& call, const Json& before) {
  Properties properties = call.properties();
  set_names(call, call.id(), properties);
  update_ec2_tags(call, before);
}

void remove(const ResourceCall& call) { call.ask<ec2::DeleteVpc>({.vpc_id = call.id()}); }

Json attribute(const ResourceCall& call, const std::string& name) {
  if (name == "VpcId") return call.id();
  if (name == "CidrBlock")
    return call.ask<ec2::DescribeVpcs>({.vpc_ids = {call.id()}}).vpcs.at(0).cidr_block.value();
  const auto groups = call.ask<ec2::DescribeSecurityGroups>(
      {.filters = {{.name = "vpc-id", .values = {call.id()}},
                   {.name = "group-name", .values = {"default"}}}});
  return groups.security_groups.at(0).group_id.value();
}

}  // namespace

const Type kType{.traits = {.type = "AWS::EC2::VPC",
                            .attributes = kAttributes,
                            .updated = kUpdated,
                            .has_tags = true},
                 .create = create,
                 .remove = remove,
                 .attribute = attribute,
                 .update = update,
                 .changes = kChanges};

}  // namespace fakes::cloudformation::vpc
