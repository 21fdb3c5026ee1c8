#include "fakes/ec2/network/permissions.h"

#include <arpa/inet.h>
#include <fmt/format.h>

#include "fakes/ec2/network/vpc.h"
#include "fakes/ec2/requests.h"

namespace fakes::ec2 {
namespace {

using sim::cloud::ApiError;
using sim::vpc::Permission;
using sim::vpc::Rule;
using sim::vpc::SecurityGroup;

constexpr std::size_t kLongestDescription = 255;

void check_description(const api::Opt<std::string>& description) {
  if (text(description).size() > kLongestDescription)
    throw invalid("description", *description, "Expected at most 255 characters.");
}

sim::vpc::Cidr block(const api::Opt<std::string>& cidr) {
  const std::string& given = required(cidr, "CidrIp");
  if (const auto read = sim::vpc::parse_cidr(given)) return *read;
  throw ApiError("InvalidParameterValue", fmt::format("CIDR block {} is malformed", given));
}

std::string ipv6_block(const api::Opt<std::string>& cidr) {
  const std::string& given = required(cidr, "CidrIpv6");
  in6_addr address{};
  const auto slash = given.find('/');
  if (slash != given.npos && inet_pton(AF_INET6, given.substr(0, slash).c_str(), &address) == 1)
    return given;
  throw ApiError("InvalidParameterValue", fmt::format("CIDR block {} is malformed", given));
}

std::string peer_group(const Call& call, const aws::UserIdGroupPair& pair) {
  const auto& groups = call.cloud.network().groups;
  if (pair.group_id) return groups.table.find(*pair.group_id).id;
  const std::string& name = required(pair.group_name, "GroupId");
  const auto* const vpc = call.cloud.network().vpcs.default_vpc();
  if (const auto* const found = vpc ? groups.named(name, vpc->id) : nullptr) return found->id;
  throw ApiError("InvalidGroup.NotFound",
                 fmt::format("The security group '{}' does not exist", name));
}

void read_permission(const Call& call, const aws::IpPermission& in, bool egress,
                     std::vector<Rule>& rules) {
  const Permission base{.protocol = required(in.ip_protocol, "IpProtocol"),
                        .from = static_cast<int>(in.from_port.value_or(-1)),
                        .to = static_cast<int>(in.to_port.value_or(-1))};
  const auto before = rules.size();
  const auto add = [&](const api::Opt<std::string>& description, auto set_peer) {
    check_description(description);
    Permission permission = base;
    set_peer(permission);
    rules.push_back({.egress = egress,
                     .permission = normalized(std::move(permission)),
                     .description = text(description)});
  };
  for (const auto& range : in.ip_ranges)
    add(range.description, [&](Permission& p) { p.cidr = block(range.cidr_ip); });
  for (const auto& range : in.ipv6_ranges)
    add(range.description, [&](Permission& p) { p.cidr6 = ipv6_block(range.cidr_ipv6); });
  for (const auto& list : in.prefix_list_ids)
    add(list.description,
        [&](Permission& p) { p.prefix_list = required(list.prefix_list_id, "PrefixListId"); });
  for (const auto& pair : in.user_id_group_pairs)
    add(pair.description, [&](Permission& p) { p.group = peer_group(call, pair); });
  if (rules.size() == before)
    throw ApiError(
        "InvalidPermission.Malformed",
        "A permission must name a peer: a CIDR block, a security group or a prefix list.");
}

bool has_ports(const Permission& permission) {
  return permission.protocol == "tcp" || permission.protocol == "udp" ||
         permission.protocol.starts_with("icmp");
}

api::Opt<std::string> unless_empty(const std::string& text) {
  return text.empty() ? std::nullopt : api::Opt<std::string>(text);
}

void show_peer(const Call& call, const Rule& rule, aws::IpPermission& out) {
  const auto description = unless_empty(rule.description);
  const Permission& p = rule.permission;
  if (p.cidr) out.ip_ranges.push_back({.cidr_ip = text(*p.cidr), .description = description});
  if (!p.cidr6.empty())
    out.ipv6_ranges.push_back({.cidr_ipv6 = p.cidr6, .description = description});
  if (!p.prefix_list.empty())
    out.prefix_list_ids.push_back({.description = description, .prefix_list_id = p.prefix_list});
  if (!p.group.empty())
    out.user_id_group_pairs.push_back({.description = description,
                                       .group_id = p.group,
                                       .user_id = call.cloud.config().account_id});
}

}  // namespace

std::vector<Rule> read_permissions(const Call& call, const api::List<aws::IpPermission>& given,
                                   bool egress) {
  std::vector<Rule> rules;
  for (const auto& permission : given) read_permission(call, permission, egress, rules);
  if (rules.empty()) throw missing("ipPermissions");
  return rules;
}

api::List<aws::IpPermission> shown_permissions(const Call& call, const SecurityGroup& group,
                                               bool egress) {
  api::List<aws::IpPermission> out;
  out.give();
  for (const Rule& rule : group.rules) {
    if (rule.egress != egress) continue;
    const Permission& p = rule.permission;
    const auto from = has_ports(p) ? api::Opt<std::int64_t>(p.from) : std::nullopt;
    const auto to = has_ports(p) ? api::Opt<std::int64_t>(p.to) : std::nullopt;
    auto same = std::ranges::find_if(out, [&](const aws::IpPermission& one) {
      return one.ip_protocol == p.protocol && one.from_port == from && one.to_port == to;
    });
    if (same == out.end()) {
      out.push_back({.from_port = from, .ip_protocol = p.protocol, .to_port = to});
      same = std::prev(out.end());
      same->ip_ranges.give();
      same->ipv6_ranges.give();
      same->prefix_list_ids.give();
      same->user_id_group_pairs.give();
    }
    show_peer(call, rule, *same);
  }
  return out;
}

aws::SecurityGroupRule shown_rule(const Call& call, const SecurityGroup& group, const Rule& rule) {
  const Permission& p = rule.permission;
  aws::SecurityGroupRule out{.cidr_ipv6 = unless_empty(p.cidr6),
                             .description = unless_empty(rule.description),
                             .from_port = p.from,
                             .group_id = group.id,
                             .group_owner_id = call.cloud.config().account_id,
                             .ip_protocol = p.protocol,
                             .is_egress = rule.egress,
                             .prefix_list_id = unless_empty(p.prefix_list),
                             .security_group_rule_id = rule.id,
                             .tags = shown_tags(rule.tags),
                             .to_port = p.to};
  if (p.cidr) out.cidr_ipv4 = text(*p.cidr);
  if (!p.group.empty())
    out.referenced_group_info = aws::ReferencedSecurityGroup{
        .group_id = p.group, .user_id = call.cloud.config().account_id};
  return out;
}

}  // namespace fakes::ec2
