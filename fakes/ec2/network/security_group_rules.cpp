#include <fmt/format.h>

#include "fakes/ec2/actions.h"
#include "fakes/ec2/filters.h"
#include "fakes/ec2/network/permissions.h"
#include "fakes/ec2/network/vpc.h"
#include "fakes/ec2/page.h"
#include "fakes/ec2/requests.h"

namespace fakes::ec2 {
namespace {

using sim::vpc::Permission;
using sim::vpc::Rule;
using sim::vpc::SecurityGroup;
using Values = std::vector<std::string>;

struct ListedRule {
  const SecurityGroup* group;
  const Rule* rule;
};
const sim::cloud::Tags& rule_tags(const ListedRule& listed) { return listed.rule->tags; }

constexpr FilterRow<ListedRule> kRuleFilters[] = {
    {"group-id", [](const ListedRule& l, Backend&) { return Values{l.group->id}; }},
    {"security-group-rule-id", [](const ListedRule& l, Backend&) { return Values{l.rule->id}; }},
};

// A filter's group ID must look like one. It need not exist.
void check_groups_of(const api::List<aws::Filter>& filters) {
  for (const aws::Filter& filter : filters) {
    if (filter.name != "group-id") continue;
    for (const std::string& id : filter.values)
      if (!id.starts_with("sg-"))
        throw sim::cloud::ApiError("InvalidGroupId.Malformed",
                                   fmt::format("The security group ID '{}' is malformed", id));
  }
}

// Reads a rule from the request's own parameters instead of a list: IpProtocol, FromPort, ToPort,
// CidrIp, SourceSecurityGroupName.
template <class Request>
api::List<aws::IpPermission> permissions_of(const Request& in) {
  if (!in.ip_protocol && !in.cidr_ip && !in.source_security_group_name) return in.ip_permissions;
  if (!in.ip_permissions.empty())
    throw sim::cloud::ApiError("InvalidParameterCombination",
                               "The parameter 'ipPermissions' may not be used in combination with "
                               "'ipProtocol'");
  aws::IpPermission one{.from_port = in.from_port,
                        .ip_protocol = in.ip_protocol.value_or("-1"),
                        .to_port = in.to_port};
  if (in.cidr_ip) one.ip_ranges.push_back({.cidr_ip = in.cidr_ip});
  if (in.source_security_group_name)
    one.user_id_group_pairs.push_back({.group_name = in.source_security_group_name});
  api::List<aws::IpPermission> list;
  list.push_back(std::move(one));
  return list;
}

template <class Request>
const SecurityGroup& group_of_request(const Call& call, const Request& request) {
  if constexpr (requires { request.group_name; })
    return find_group(call, request.group_id, request.group_name);
  else
    return find_group(call, required(request.group_id, "groupId"), {});
}

template <class Response, class Request>
Response authorize(Call& call, const Request& request, bool egress) {
  const auto tags = read_tag_specifications(request.tag_specifications, "security-group-rule");
  const std::string id = group_of_request(call, request).id;
  auto& groups = call.cloud.network().groups;
  const auto added = groups.authorize(id, read_permissions(call, permissions_of(request), egress));
  Response response{.return_ = true};
  for (const Rule& rule : added) {
    tag_new(call, rule.id, tags);
    response.security_group_rules.push_back(
        shown_rule(call, groups.table.find(id), groups.rule(rule.id)));
  }
  return response;
}

template <class Response, class Request>
Response revoke(Call& call, const Request& request, bool egress) {
  const std::string id = group_of_request(call, request).id;
  auto& groups = call.cloud.network().groups;
  std::vector<Rule> gone;
  if (request.security_group_rule_ids.empty()) {
    std::vector<Permission> permissions;
    for (const Rule& rule : read_permissions(call, permissions_of(request), egress))
      permissions.push_back(rule.permission);
    gone = groups.revoke(id, egress, permissions);
  } else {
    gone = groups.revoke(id, egress, std::vector<std::string>(request.security_group_rule_ids));
  }
  return {.return_ = true};
}

}  // namespace

aws::AuthorizeSecurityGroupIngressResult authorize_security_group_ingress(
    Call& call, const aws::AuthorizeSecurityGroupIngressRequest& request) {
  return authorize<aws::AuthorizeSecurityGroupIngressResult>(call, request, false);
}

aws::AuthorizeSecurityGroupEgressResult authorize_security_group_egress(
    Call& call, const aws::AuthorizeSecurityGroupEgressRequest& request) {
  return authorize<aws::AuthorizeSecurityGroupEgressResult>(call, request, true);
}

aws::RevokeSecurityGroupIngressResult revoke_security_group_ingress(
    Call& call, const aws::RevokeSecurityGroupIngressRequest& request) {
  return revoke<aws::RevokeSecurityGroupIngressResult>(call, request, false);
}

aws::RevokeSecurityGroupEgressResult revoke_security_group_egress(
    Call& call, const aws::RevokeSecurityGroupEgressRequest& request) {
  return revoke<aws::RevokeSecurityGroupEgressResult>(call, request, true);
}

aws::DescribeSecurityGroupRulesResult describe_security_group_rules(
    Call& call, const aws::DescribeSecurityGroupRulesRequest& request) {
  const Filters<ListedRule> filters(request.filters, kRuleFilters, rule_tags);
  check_groups_of(request.filters);
  const Page page(request, {.of = "rules", .low = 5, .high = 1000});
  auto& groups = call.cloud.network().groups;
  const auto& ids = request.security_group_rule_ids;
  for (const auto& id : ids) groups.of_rule(id);
  std::vector<ListedRule> found;
  for (const auto& [id, group] : groups.table.all())
    for (const Rule& rule : group.rules)
      if ((ids.empty() || std::ranges::find(ids, rule.id) != ids.end()) &&
          filters.match({&group, &rule}, call.backend))
        found.push_back({&group, &rule});
  aws::DescribeSecurityGroupRulesResult response{.next_token = page.cut(found)};
  response.security_group_rules.give();
  for (const auto& [group, rule] : found)
    response.security_group_rules.push_back(shown_rule(call, *group, *rule));
  return response;
}

}  // namespace fakes::ec2
