// AWS::EC2::SecurityGroupIngress and AWS::EC2::SecurityGroupEgress.
#include "api/ec2.h"
#include "fakes/cloudformation/types/group_rules.h"
#include "fakes/cloudformation/types/rows.h"

namespace fakes::cloudformation::security_group_rule {
namespace {

namespace ec2 = api::ec2::op;
using sim::Json;

constexpr std::string_view kAttributes[] = {"Id"};
constexpr std::size_t kLongestName = 255;

template <class Op>
void ask_about_rule(const ResourceCall& call) {
  Json rule = call.resource.properties;
  typename Op::Request request{.group_id = call.properties().need_text("GroupId")};
  rule.erase("GroupId");
  request.ip_permissions.push_back(rule_of(call, rule));
  call.ask<Op>(request);
}

template <class Authorize>
std::string create(const ResourceCall& call) {
  ask_about_rule<Authorize>(call);
  return generated_name(call, kLongestName);
}

}  // namespace

const Type kIngress{.traits = {.type = "AWS::EC2::SecurityGroupIngress", .attributes = kAttributes},
                    .create = create<ec2::AuthorizeSecurityGroupIngress>,
                    .remove = ask_about_rule<ec2::RevokeSecurityGroupIngress>,
                    .attribute = physical_id};
const Type kEgress{.traits = {.type = "AWS::EC2::SecurityGroupEgress", .attributes = kAttributes},
                   .create = create<ec2::AuthorizeSecurityGroupEgress>,
                   .remove = ask_about_rule<ec2::RevokeSecurityGroupEgress>,
                   .attribute = physical_id};

}  // namespace fakes::cloudformation::security_group_rule
