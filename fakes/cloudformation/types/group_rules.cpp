#include "fakes/cloudformation/types/group_rules.h"

namespace fakes::cloudformation {

api::ec2::IpPermission rule_of(const ResourceCall& call, const sim::Json& rule) {
  sim::stacks::Handle one = call.resource;
  one.properties = rule;
  Properties properties(one);
  const auto text = properties.take_text("Description");
  api::ec2::IpPermission permission{.from_port = properties.take_number("FromPort"),
                                    .ip_protocol = properties.need_text("IpProtocol"),
                                    .to_port = properties.take_number("ToPort")};
  if (const auto block = properties.take_text("CidrIp"))
    permission.ip_ranges.push_back({.cidr_ip = *block, .description = text});
  api::ec2::UserIdGroupPair pair{.description = text,
                                 .group_id = properties.take_text("SourceSecurityGroupId"),
                                 .group_name = properties.take_text("SourceSecurityGroupName"),
                                 .user_id = properties.take_text("SourceSecurityGroupOwnerId")};
  if (const auto to = properties.take_text("DestinationSecurityGroupId")) pair.group_id = to;
  if (pair.group_id || pair.group_name) permission.user_id_group_pairs.push_back(pair);
  properties.end();
  return permission;
}

api::List<api::ec2::IpPermission> rules_of(const ResourceCall& call, const sim::Json& list) {
  api::List<api::ec2::IpPermission> rules;
  if (!list.is_array()) return rules;
  for (const sim::Json& rule : list) rules.push_back(rule_of(call, rule));
  return rules;
}

}  // namespace fakes::cloudformation
