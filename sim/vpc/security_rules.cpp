// Rules of security groups: checks, changes, and the decision about a connection.
#include <algorithm>

#include "sim/vpc/security_groups.h"

namespace sim::vpc {
namespace {

constexpr std::size_t kMostRules = 60;  // in each direction (Amazon VPC quotas)
constexpr int kMostPort = 65535;

constexpr std::pair<std::string_view, std::string_view> kProtocols[] = {
    {"1", "icmp"}, {"6", "tcp"}, {"17", "udp"}, {"58", "icmpv6"}, {"all", "-1"}};

bool has_ports(const Permission& permission) {
  return permission.protocol == "tcp" || permission.protocol == "udp";
}

void check_ports(const Permission& permission) {
  const auto invalid = [](const std::string& why) {
    throw ApiError("InvalidParameterValue", fmt::format("Invalid value '{}' for portRange.", why));
  };
  if (permission.from < 0 || permission.to < 0)
    invalid("Must specify both from and to ports with TCP/UDP.");
  if (permission.from > kMostPort || permission.to > kMostPort)
    invalid(fmt::format("{}-{}: a port is at most 65535", permission.from, permission.to));
  if (permission.from > permission.to)
    throw ApiError(
        "InvalidParameterValue",
        fmt::format("Invalid {} port range ({},{})", permission.protocol == "tcp" ? "TCP" : "UDP",
                    permission.from, permission.to));
}

std::string peer_of(const Permission& permission) {
  if (permission.cidr) return text(*permission.cidr);
  return permission.cidr6 + permission.group + permission.prefix_list;
}

// As EC2 writes a rule in its errors.
std::string described(const Permission& permission) {
  std::string protocol = permission.protocol == "-1" ? "ALL" : permission.protocol;
  std::ranges::transform(protocol, protocol.begin(),
                         [](unsigned char c) { return std::toupper(c); });
  std::string out = fmt::format("peer: {}, {}", peer_of(permission), protocol);
  if (has_ports(permission))
    out += fmt::format(", from port: {}, to port: {}", permission.from, permission.to);
  return out + ", ALLOW";
}

auto find_rule(SecurityGroup& group, bool egress, const Permission& permission) {
  return std::ranges::find_if(group.rules, [&](const Rule& rule) {
    return rule.egress == egress && rule.permission == permission;
  });
}

bool is_member(const std::vector<std::string>& groups, const std::string& group) {
  return std::ranges::find(groups, group) != groups.end();
}

}  // namespace

Permission normalized(Permission permission) {
  for (const auto& [number, name] : kProtocols)
    if (permission.protocol == number) permission.protocol = name;
  const std::string& protocol = permission.protocol;
  const bool icmp = protocol.starts_with("icmp");
  const bool number = !protocol.empty() && protocol.size() <= 3 &&
                      std::ranges::all_of(protocol, [](char c) { return c >= '0' && c <= '9'; });
  if (has_ports(permission)) {
    check_ports(permission);
  } else if (icmp) {
    if (permission.from < -1 || permission.from > 255 || permission.to < -1 || permission.to > 255)
      throw ApiError("InvalidParameterValue",
                     fmt::format("ICMP code ({}) out of range", permission.to));
  } else if (number || protocol == "-1") {
    permission.from = permission.to = -1;
  } else {
    throw ApiError(
        "InvalidPermission.Malformed",
        fmt::format("Unsupported IP protocol \"{}\" - supported: [tcp, udp, icmp]", protocol));
  }
  return permission;
}

std::vector<Rule> SecurityGroups::authorize(const std::string& id, std::vector<Rule> rules) {
  SecurityGroup& group = table.find(id);
  for (auto rule = rules.begin(); rule != rules.end(); ++rule) {
    const Permission& permission = rule->permission;
    if (!permission.group.empty()) table.find(permission.group);
    if (std::any_of(rules.begin(), rule,
                    [&](const Rule& other) { return other.permission == permission; }))
      throw ApiError("InvalidParameterValue", "The same permission must not appear multiple times");
    if (find_rule(group, rule->egress, permission) != group.rules.end())
      throw ApiError(
          "InvalidPermission.Duplicate",
          fmt::format("the specified rule \"{}\" already exists", described(permission)));
  }
  const bool egress = !rules.empty() && rules[0].egress;
  const auto present =
      std::ranges::count_if(group.rules, [&](const Rule& rule) { return rule.egress == egress; });
  if (static_cast<std::size_t>(present) + rules.size() > kMostRules)
    throw ApiError("RulesPerSecurityGroupLimitExceeded",
                   "The maximum number of rules per security group has been reached.");
  for (Rule& rule : rules) {
    rule.id = ids_.next("sgr");
    group.rules.push_back(rule);
  }
  return rules;
}

std::vector<Rule> SecurityGroups::revoke(const std::string& id, bool egress,
                                         const std::vector<Permission>& permissions) {
  SecurityGroup& group = table.find(id);
  std::vector<Rule> gone;
  for (const Permission& permission : permissions) {
    const auto found = find_rule(group, egress, permission);
    if (found == group.rules.end())
      throw ApiError("InvalidPermission.NotFound",
                     "The specified rule does not exist in this security group.");
    gone.push_back(*found);
  }
  std::erase_if(group.rules, [&](const Rule& rule) {
    return std::ranges::any_of(gone, [&](const Rule& one) { return one.id == rule.id; });
  });
  return gone;
}

std::vector<Rule> SecurityGroups::revoke(const std::string& id, bool egress,
                                         const std::vector<std::string>& ids) {
  std::vector<Permission> permissions;
  for (const std::string& one : ids) {
    const Rule& found = rule(one);
    if (found.egress != egress || of_rule(one).id != id)
      throw ApiError("InvalidSecurityGroupRuleId.NotFound",
                     fmt::format("The security group rule ID '{}' does not exist", one));
    permissions.push_back(found.permission);
  }
  return revoke(id, egress, permissions);
}

const SecurityGroup& SecurityGroups::of_rule(const std::string& id) const {
  const SecurityGroup* const found = table.first([&](const SecurityGroup& group) {
    return std::ranges::any_of(group.rules, [&](const Rule& rule) { return rule.id == id; });
  });
  if (!found)
    throw ApiError("InvalidSecurityGroupRuleId.NotFound",
                   fmt::format("The security group rule ID '{}' does not exist", id));
  return *found;
}

Rule& SecurityGroups::rule(const std::string& id) {
  SecurityGroup& group = table.find(of_rule(id).id);
  return *std::ranges::find(group.rules, id, &Rule::id);
}

bool SecurityGroups::permit(const std::vector<std::string>& groups, bool egress,
                            std::string_view protocol, int port, Ipv4 peer,
                            const std::vector<std::string>& peer_groups) const {
  const auto lets_through = [&](const Rule& rule) {
    const Permission& p = rule.permission;
    if (rule.egress != egress) return false;
    if (p.protocol != "-1" && (p.protocol != protocol || port < p.from || port > p.to))
      return false;
    return p.cidr ? p.cidr->contains(peer) : is_member(peer_groups, p.group);
  };
  return std::ranges::any_of(groups, [&](const std::string& id) {
    return table.has(id) && std::ranges::any_of(table.find(id).rules, lets_through);
  });
}

}  // namespace sim::vpc
