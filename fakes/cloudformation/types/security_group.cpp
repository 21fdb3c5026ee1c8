// AWS::EC2::SecurityGroup.
#include "api/ec2.h"
#include "fakes/cloudformation/types/ec2_tags.h"
#include "fakes/cloudformation/types/group_rules.h"
#include "fakes/cloudformation/types/rows.h"

namespace fakes::cloudformation::security_group {
namespace {

namespace ec2 = api::ec2::op;
using sim::Json;

constexpr std::string_view kAttributes[] = {"GroupId", "VpcId"};
constexpr std::string_view kUpdated[] = {"SecurityGroupEgress", "SecurityGroupIngress", "Tags"};
constexpr std::size_t kLongestName = 255;

using Rules = api::List<api::ec2::IpPermission>;

void authorize(const ResourceCall& call, const std::string& id, const Rules& in, const Rules& out) {
  if (!in.empty())
    call.ask<ec2::AuthorizeSecurityGroupIngress>({.group_id = id, .ip_permissions = in});
  if (!out.empty())
    call.ask<ec2::AuthorizeSecurityGroupEgress>({.group_id = id, .ip_permissions = out});
}

api::ec2::SecurityGroup described(const ResourceCall& call, const std::string& id) {
  return call.ask<ec2::DescribeSecurityGroups>({.group_ids = {id}}).security_groups.at(0);
}

// A list in the template replaces EC2's default rule, which permits all outgoing connections.
void add_rules(const ResourceCall& call, const std::string& id, Properties& properties) {
  const Json in = properties.take("SecurityGroupIngress");
  const Json out = properties.take("SecurityGroupEgress");
  if (out.is_array() && !out.empty())
    call.ask<ec2::RevokeSecurityGroupEgress>(
        {.group_id = id, .ip_permissions = described(call, id).ip_permissions_egress});
  authorize(call, id, rules_of(call, in), rules_of(call, out));
}

std::string create(const ResourceCall& call) {
  Properties properties = call.properties();
  Properties rules = call.properties();
  properties.take("SecurityGroupIngress");
  properties.take("SecurityGroupEgress");
  properties.rename("GroupDescription", "Description");
  properties.set("GroupName",
                 properties.take_text("GroupName").value_or(generated_name(call, kLongestName)));
  properties.tag_as("security-group");
  const std::string id =
      call.ask<ec2::CreateSecurityGroup>(properties.request<ec2::CreateSecurityGroup>())
          .group_id.value();
  undo_on_failure(
      id, [&] { add_rules(call, id, rules); },
      [&] { call.ask<ec2::DeleteSecurityGroup>({.group_id = id}); });
  return id;
}

void update(const ResourceCall& call, const Json& before) {
  const auto old = [&](const char* name) { return rules_of(call, before.value(name, Json())); };
  if (const Rules in = old("SecurityGroupIngress"); !in.empty())
    call.ask<ec2::RevokeSecurityGroupIngress>({.group_id = call.id(), .ip_permissions = in});
  if (const Rules out = old("SecurityGroupEgress"); !out.empty())
    call.ask<ec2::RevokeSecurityGroupEgress>({.group_id = call.id(), .ip_permissions = out});
  Properties properties = call.properties();
  authorize(call, call.id(), rules_of(call, properties.take("SecurityGroupIngress")),
            rules_of(call, properties.take("SecurityGroupEgress")));
  update_ec2_tags(call, before);
}

void remove(const ResourceCall& call) {
  call.ask<ec2::DeleteSecurityGroup>({.group_id = call.id()});
}

// A group without VpcId is in the default VPC: Ref returns its name (CloudFormation User Guide,
// "AWS::EC2::SecurityGroup", return values).
Json ref(const ResourceCall& call) {
  if (call.properties().take_text("VpcId")) return call.id();
  return described(call, call.id()).group_name.value();
}

Json attribute(const ResourceCall& call, const std::string& name) {
  return name == "GroupId" ? call.id() : described(call, call.id()).vpc_id.value();
}

}  // namespace

const Type kType{.traits = {.type = "AWS::EC2::SecurityGroup",
                            .attributes = kAttributes,
                            .updated = kUpdated,
                            .has_tags = true},
                 .create = create,
                 .remove = remove,
                 .ref = ref,
                 .attribute = attribute,
                 .update = update,
                 .changes = kUpdated};

}  // namespace fakes::cloudformation::security_group
