// ModifySecurityGroupRules, and the descriptions of security groups' rules.
#include <fmt/format.h>

#include <algorithm>

#include "fakes/ec2/actions.h"
#include "fakes/ec2/network/permissions.h"
#include "fakes/ec2/network/vpc.h"
#include "fakes/ec2/requests.h"

namespace fakes::ec2 {
namespace {

using sim::cloud::ApiError;
using sim::vpc::Rule;
using sim::vpc::SecurityGroup;

// Throws InvalidSecurityGroupRuleId.NotFound unless the group has the rule, in any direction.
Rule& rule_of(Call& call, const SecurityGroup& group, const std::string& id) {
  auto& groups = call.cloud.network().groups;
  if (groups.of_rule(id).id != group.id)
    throw ApiError("InvalidSecurityGroupRuleId.NotFound",
                   fmt::format("The security group rule ID '{}' does not exist", id));
  return groups.rule(id);
}

const Rule* same_rule(const SecurityGroup& group, const Rule& as) {
  const auto found = std::ranges::find_if(group.rules, [&](const Rule& rule) {
    return rule.egress == as.egress && rule.permission == as.permission;
  });
  return found == group.rules.end() ? nullptr : &*found;
}

// The rules of a request with their new descriptions, which name existing rules by their
// permissions or by their IDs. A description that is not given is removed.
template <class Request>
std::vector<std::pair<std::string, std::string>> descriptions(Call& call,
                                                              const SecurityGroup& group,
                                                              const Request& request, bool egress) {
  std::vector<std::pair<std::string, std::string>> out;
  for (const auto& one : request.security_group_rule_descriptions) {
    const std::string& id = required(one.security_group_rule_id, "SecurityGroupRuleId");
    if (rule_of(call, group, id).egress != egress)
      throw ApiError("InvalidSecurityGroupRuleId.NotFound",
                     fmt::format("The security group rule ID '{}' does not exist", id));
    out.emplace_back(id, text(one.description));
  }
  if (!out.empty() && request.ip_permissions.empty()) return out;
  for (const Rule& given : read_permissions(call, request.ip_permissions, egress)) {
    const Rule* const found = same_rule(group, given);
    if (!found)
      throw ApiError("InvalidPermission.NotFound",
                     "The specified rule does not exist in this security group.");
    out.emplace_back(found->id, given.description);
  }
  return out;
}

template <class Response, class Request>
Response describe_rules(Call& call, const Request& request, bool egress) {
  const SecurityGroup& group = find_group(call, request.group_id, request.group_name);
  for (const auto& [id, description] : descriptions(call, group, request, egress))
    call.cloud.network().groups.rule(id).description = description;
  return {.return_ = true};
}

aws::IpPermission permission_of(const aws::SecurityGroupRuleRequest& in) {
  aws::IpPermission out{
      .from_port = in.from_port, .ip_protocol = in.ip_protocol, .to_port = in.to_port};
  if (in.cidr_ipv4)
    out.ip_ranges.push_back({.cidr_ip = in.cidr_ipv4, .description = in.description});
  if (in.cidr_ipv6)
    out.ipv6_ranges.push_back({.cidr_ipv6 = in.cidr_ipv6, .description = in.description});
  if (in.prefix_list_id)
    out.prefix_list_ids.push_back(
        {.description = in.description, .prefix_list_id = in.prefix_list_id});
  if (in.referenced_group_id)
    out.user_id_group_pairs.push_back(
        {.description = in.description, .group_id = in.referenced_group_id});
  return out;
}

// EC2 API reference, ModifySecurityGroupRules: a rule keeps its direction and its kind of peer.
void check_peer(const Rule& from, const Rule& to) {
  const auto kind = [](const sim::vpc::Permission& p) {
    return p.cidr ? 4 : !p.cidr6.empty() ? 6 : !p.prefix_list.empty() ? 1 : 2;
  };
  if (kind(from.permission) != kind(to.permission))
    throw ApiError("InvalidParameterValue",
                   fmt::format("The kind of peer of the rule '{}' cannot be changed", from.id));
}

Rule changed_rule(Call& call, const SecurityGroup& group, const aws::SecurityGroupRuleUpdate& in) {
  Rule rule = rule_of(call, group, required(in.security_group_rule_id, "SecurityGroupRuleId"));
  if (!in.security_group_rule) throw missing("SecurityGroupRule");
  api::List<aws::IpPermission> one;
  one.push_back(permission_of(*in.security_group_rule));
  const std::vector<Rule> read = read_permissions(call, one, rule.egress);
  if (read.size() != 1)
    throw ApiError("InvalidParameterCombination", "A rule must have exactly one peer.");
  check_peer(rule, read[0]);
  const Rule* const same = same_rule(group, read[0]);
  if (same && same->id != rule.id)
    throw ApiError("InvalidPermission.Duplicate", "the specified rule already exists");
  rule.permission = read[0].permission;
  rule.description = read[0].description;
  return rule;
}

}  // namespace

op::UpdateSecurityGroupRuleDescriptionsIngress::Response
update_security_group_rule_descriptions_ingress(
    Call& call, const op::UpdateSecurityGroupRuleDescriptionsIngress::Request& request) {
  return describe_rules<op::UpdateSecurityGroupRuleDescriptionsIngress::Response>(call, request,
                                                                                  false);
}

op::UpdateSecurityGroupRuleDescriptionsEgress::Response
update_security_group_rule_descriptions_egress(
    Call& call, const op::UpdateSecurityGroupRuleDescriptionsEgress::Request& request) {
  return describe_rules<op::UpdateSecurityGroupRuleDescriptionsEgress::Response>(call, request,
                                                                                 true);
}

op::ModifySecurityGroupRules::Response modify_security_group_rules(
    Call& call, const op::ModifySecurityGroupRules::Request& request) {
  const SecurityGroup& group = find_group(call, required(request.group_id, "GroupId"), {});
  std::vector<Rule> changed;
  for (const auto& update : request.security_group_rules)
    changed.push_back(changed_rule(call, group, update));
  for (Rule& rule : changed) {
    const std::string id = rule.id;
    call.cloud.network().groups.rule(id) = std::move(rule);
  }
  return {.return_ = true};
}

}  // namespace fakes::ec2
