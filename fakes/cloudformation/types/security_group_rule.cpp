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

// The group of a rule: by its ID or, for incoming traffic in the default VPC, by its name.
template <class Request>
Request with_group(Properties properties) {
  Request request;
  if constexpr (requires { request.group_name; }) {
    request.group_name = properties.take_text("GroupName");
    if (request.group_name) return request;
  }
  request.group_id = properties.need_text("GroupId");
  return request;
}

template <class Op>
void ask_about_rule(const ResourceCall& call) {
  auto request = with_group<typename Op::Request>(call.properties());
  Json rule = call.resource.properties;
  for (const char* of_group : {"GroupId", "GroupName"}) rule.erase(of_group);
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
