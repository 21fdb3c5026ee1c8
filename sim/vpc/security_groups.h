// Security groups and their rules (VPC user guide, "Security groups" and "Security group rules").
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/vpc/resources.h"
#include "sim/vpc/table.h"
#include "sim/vpc/vpcs.h"

namespace sim::vpc {

inline constexpr const char* kDefaultGroup = "default";

class SecurityGroups {
 public:
  SecurityGroups(Ids& ids, const Vpcs& vpcs) : ids_(ids), vpcs_(vpcs) {}

  // A new group permits all outgoing and no incoming traffic. An empty VPC means the default VPC.
  // Throws InvalidGroup.Duplicate.
  const SecurityGroup& create(const std::string& name, const std::string& description,
                              const std::string& vpc);
  // Each VPC's group "default", which also lets its members in.
  const SecurityGroup& create_default(const std::string& id, const std::string& vpc);
  // Throws CannotDelete for a VPC's group "default", DependencyViolation while another group's rule
  // names it.
  void remove(const std::string& id);
  // Null: there is none of this name.
  const SecurityGroup* named(const std::string& name, const std::string& vpc) const;

  // ---- groups without a creation. As long as the account has created and declared no group, a
  // launch may name any group: the group is assumed to exist, with the rules of a group "default".
  // Images and key pairs are treated alike.
  void declare(const std::string& id_or_name);
  // From now on, only groups that exist may be named.
  void be_strict() { strict_ = true; }
  // Throws InvalidGroup.NotFound. An empty VPC means the default VPC.
  const SecurityGroup& require(const std::string& id, const std::string& vpc);
  // The ID of a group of the default VPC. For a name that no group has, an ID that no group has:
  // the launch refuses it.
  std::string id_of(const std::string& name);

  // ---- rules. Their IDs are given here.
  // Returns the new rules. Throws InvalidPermission.Duplicate, RulesPerSecurityGroupLimitExceeded.
  std::vector<Rule> authorize(const std::string& group, std::vector<Rule> rules);
  // Both return the removed rules. Throw InvalidPermission.NotFound and
  // InvalidSecurityGroupRuleId.NotFound.
  std::vector<Rule> revoke(const std::string& group, bool egress, const std::vector<Permission>&);
  std::vector<Rule> revoke(const std::string& group, bool egress,
                           const std::vector<std::string>& ids);
  // The group that has a rule. Throws InvalidSecurityGroupRuleId.NotFound.
  const SecurityGroup& of_rule(const std::string& rule) const;
  Rule& rule(const std::string& id);

  // Whether one of these groups permits a connection to a port, incoming or outgoing. The peer has
  // an address and groups.
  bool permit(const std::vector<std::string>& groups, bool egress, std::string_view protocol,
              int port, Ipv4 peer, const std::vector<std::string>& peer_groups) const;

  Table<SecurityGroup> table{"InvalidGroup.NotFound", "security group"};

 private:
  std::string default_vpc_unless(const std::string& vpc) const;
  SecurityGroup& assume(const std::string& id, const std::string& name, const std::string& vpc);
  void add_rule(SecurityGroup&, bool egress, Permission);

  Ids& ids_;
  const Vpcs& vpcs_;
  bool strict_ = false;
};

// "6" is "tcp", "all" is "-1". Ports that the protocol does not have are dropped. Throws
// InvalidParameterValue.
Permission normalized(Permission);

}  // namespace sim::vpc
