#include <fmt/format.h>

#include "fakes/ec2/actions.h"
#include "fakes/ec2/filters.h"
#include "fakes/ec2/ids.h"
#include "fakes/ec2/network/permissions.h"
#include "fakes/ec2/network/vpc.h"
#include "fakes/ec2/page.h"
#include "fakes/ec2/requests.h"

namespace fakes::ec2 {
namespace {

using sim::cloud::ApiError;
using sim::vpc::Permission;
using sim::vpc::SecurityGroup;
using Values = std::vector<std::string>;

// A filter on rules compares one member of each rule of one direction.
template <bool kEgress, auto kMember>
Values of_rules(const SecurityGroup& group, Backend& backend) {
  Values values;
  for (const auto& rule : group.rules)
    if (rule.egress == kEgress)
      if (auto value = kMember(rule.permission, backend); !value.empty())
        values.push_back(std::move(value));
  return values;
}
std::string cidr_of(const Permission& p, Backend&) { return p.cidr ? text(*p.cidr) : ""; }
std::string cidr6_of(const Permission& p, Backend&) { return p.cidr6; }
std::string from_of(const Permission& p, Backend&) { return std::to_string(p.from); }
std::string to_of(const Permission& p, Backend&) { return std::to_string(p.to); }
std::string protocol_of(const Permission& p, Backend&) { return p.protocol; }
std::string list_of(const Permission& p, Backend&) { return p.prefix_list; }
std::string group_of(const Permission& p, Backend&) { return p.group; }
std::string user_of(const Permission& p, Backend& backend) {
  return p.group.empty() ? "" : backend.cloud.config().account_id;
}

constexpr FilterRow<SecurityGroup> kGroupFilters[] = {
    {"group-id", [](const SecurityGroup& g, Backend&) { return Values{g.id}; }},
    {"group-name", [](const SecurityGroup& g, Backend&) { return Values{g.name}; }},
    {"vpc-id", [](const SecurityGroup& g, Backend&) { return Values{g.vpc}; }},
    {"owner-id",
     [](const SecurityGroup&, Backend& w) { return Values{w.cloud.config().account_id}; }},
    {"description", [](const SecurityGroup& g, Backend&) { return Values{g.description}; }},
    {"ip-permission.cidr", of_rules<false, cidr_of>},
    {"ip-permission.from-port", of_rules<false, from_of>},
    {"ip-permission.group-id", of_rules<false, group_of>},
    {"ip-permission.group-name", no_value<SecurityGroup>},  // a VPC's rules refer to IDs
    {"ip-permission.ipv6-cidr", of_rules<false, cidr6_of>},
    {"ip-permission.prefix-list-id", of_rules<false, list_of>},
    {"ip-permission.protocol", of_rules<false, protocol_of>},
    {"ip-permission.to-port", of_rules<false, to_of>},
    {"ip-permission.user-id", of_rules<false, user_of>},
    {"egress.ip-permission.cidr", of_rules<true, cidr_of>},
    {"egress.ip-permission.from-port", of_rules<true, from_of>},
    {"egress.ip-permission.group-id", of_rules<true, group_of>},
    {"egress.ip-permission.group-name", no_value<SecurityGroup>},
    {"egress.ip-permission.ipv6-cidr", of_rules<true, cidr6_of>},
    {"egress.ip-permission.prefix-list-id", of_rules<true, list_of>},
    {"egress.ip-permission.protocol", of_rules<true, protocol_of>},
    {"egress.ip-permission.to-port", of_rules<true, to_of>},
    {"egress.ip-permission.user-id", of_rules<true, user_of>},
};

aws::SecurityGroup shown(const Call& call, const SecurityGroup& group) {
  return {.description = group.description,
          .group_id = group.id,
          .group_name = group.name,
          .ip_permissions = shown_permissions(call, group, false),
          .ip_permissions_egress = shown_permissions(call, group, true),
          .owner_id = call.cloud.config().account_id,
          .tags = shown_tags(group.tags),
          .vpc_id = group.vpc};
}

// Names and descriptions have at most 255 of these characters (EC2 API reference,
// CreateSecurityGroup).
void check_text(const std::string& value, const char* parameter) {
  const bool plain = std::ranges::all_of(value, [](unsigned char c) {
    return std::isalnum(c) ||
           std::string_view(" ._-:/()#,@[]+=&;{}!$*").find(c) != std::string::npos;
  });
  if (!plain || value.size() > 255)
    throw invalid(parameter, value,
                  "Expected at most 255 characters from a-z, A-Z, 0-9, spaces and "
                  "._-:/()#,@[]+=&;{}!$*");
}

// DescribeSecurityGroups by name searches the default VPC.
std::vector<std::string> asked_ids(const Call& call,
                                   const aws::DescribeSecurityGroupsRequest& request) {
  std::vector<std::string> ids = request.group_ids;
  for (const std::string& id : ids) check_security_group_id(id);
  for (const std::string& name : request.group_names) ids.push_back(find_group(call, {}, name).id);
  return ids;
}

}  // namespace

const SecurityGroup& find_group(const Call& call, const api::Opt<std::string>& id,
                                const api::Opt<std::string>& name) {
  const auto& network = call.cloud.network();
  if (id) {
    check_security_group_id(*id);
    return network.groups.table.find(*id);
  }
  if (!name)
    throw ApiError("MissingParameter",
                   "The request must contain the parameter groupName or groupId");
  const auto* const vpc = network.vpcs.default_vpc();
  if (const auto* const found = vpc ? network.groups.named(*name, vpc->id) : nullptr) return *found;
  throw ApiError("InvalidGroup.NotFound",
                 fmt::format("The security group '{}' does not exist in default VPC '{}'", *name,
                             vpc ? vpc->id : "none"));
}

aws::CreateSecurityGroupResult create_security_group(
    Call& call, const aws::CreateSecurityGroupRequest& request) {
  const auto tags = read_tag_specifications(request.tag_specifications, "security-group");
  const std::string& name = required(request.group_name, "groupName");
  const std::string& description = required(request.description, "GroupDescription");
  check_text(name, "GroupName");
  check_text(description, "GroupDescription");
  const auto& made = call.cloud.network().groups.create(name, description, text(request.vpc_id));
  tag_new(call, made.id, tags);
  return {.group_id = made.id, .tags = shown_tags(made.tags)};
}

op::DeleteSecurityGroup::Response delete_security_group(
    Call& call, const aws::DeleteSecurityGroupRequest& request) {
  const std::string id = find_group(call, request.group_id, request.group_name).id;
  call.cloud.network().delete_security_group(id);
  return {};
}

aws::DescribeSecurityGroupsResult describe_security_groups(
    Call& call, const aws::DescribeSecurityGroupsRequest& request) {
  const Filters<SecurityGroup> filters(request.filters, kGroupFilters,
                                       resource_tags<SecurityGroup>);
  const Page page(request, {.of = "groups", .low = 5, .high = 1000});
  const auto& groups = call.cloud.network().groups.table;
  api::List<std::string> ids;
  for (const std::string& id : asked_ids(call, request)) ids.push_back(id);
  auto found = filters.of(groups.all(), "group-id", call.backend, ids,
                          [&](const auto& id) -> const SecurityGroup& { return groups.find(id); });
  aws::DescribeSecurityGroupsResult response{.next_token = page.cut(found)};
  response.security_groups.give();
  for (const SecurityGroup* group : found) response.security_groups.push_back(shown(call, *group));
  return response;
}

}  // namespace fakes::ec2
