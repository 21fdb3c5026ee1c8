#include "sim/vpc/security_groups.h"

#include <algorithm>

namespace sim::vpc {
namespace {

const Cidr kAnywhere{};

bool names(const SecurityGroup& group, const std::string& other) {
  return std::ranges::any_of(group.rules,
                             [&](const Rule& rule) { return rule.permission.group == other; });
}

}  // namespace

std::string SecurityGroups::default_vpc_unless(const std::string& vpc) const {
  if (!vpc.empty()) return vpcs_.table.find(vpc).id;
  if (const Vpc* const found = vpcs_.default_vpc()) return found->id;
  throw ApiError("VPCIdNotSpecified", "No default VPC for this user");
}

void SecurityGroups::add_rule(SecurityGroup& group, bool egress, Permission permission) {
  group.rules.push_back(
      {.id = ids_.next("sgr"), .egress = egress, .permission = std::move(permission)});
}

const SecurityGroup& SecurityGroups::create(const std::string& name, const std::string& description,
                                            const std::string& asked_vpc) {
  const std::string vpc = default_vpc_unless(asked_vpc);
  if (name == kDefaultGroup)
    throw ApiError("InvalidParameterValue",
                   "Cannot use reserved security group name: " + std::string(kDefaultGroup));
  if (name.starts_with("sg-"))
    throw ApiError("InvalidParameterValue",
                   fmt::format("Value ({}) for parameter GroupName is invalid. Group names may not "
                               "be in the format sg-*.",
                               name));
  if (named(name, vpc))
    throw ApiError("InvalidGroup.Duplicate",
                   fmt::format("The security group '{}' already exists for VPC '{}'", name, vpc));
  be_strict();
  SecurityGroup& made = table.add(
      {.id = ids_.next("sg"), .name = name, .description = description, .vpc = vpc, .rules = {}});
  add_rule(made, true, {.protocol = "-1", .cidr = kAnywhere});
  return made;
}

SecurityGroup& SecurityGroups::assume(const std::string& id, const std::string& name,
                                      const std::string& vpc) {
  SecurityGroup& made = table.add(
      {.id = id, .name = name, .description = name + " security group", .vpc = vpc, .rules = {}});
  add_rule(made, true, {.protocol = "-1", .cidr = kAnywhere});
  add_rule(made, false, {.protocol = "-1", .cidr = {}, .group = id});
  return made;
}

const SecurityGroup& SecurityGroups::create_default(const std::string& id, const std::string& vpc) {
  SecurityGroup& made = assume(id, kDefaultGroup, vpc);
  made.description = "default VPC security group";
  return made;
}

const SecurityGroup* SecurityGroups::named(const std::string& name, const std::string& vpc) const {
  return table.first(
      [&](const SecurityGroup& group) { return group.name == name && group.vpc == vpc; });
}

void SecurityGroups::declare(const std::string& id_or_name) {
  if (id_or_name.starts_with("sg-"))
    require(id_or_name, "");
  else
    id_of(id_or_name);
}

const SecurityGroup& SecurityGroups::require(const std::string& id, const std::string& asked_vpc) {
  const std::string vpc = default_vpc_unless(asked_vpc);
  if (!strict_ && !table.has(id)) assume(id, id, vpc);
  const SecurityGroup& found = table.find(id);
  if (found.vpc != vpc)
    throw ApiError(
        "InvalidParameter",
        fmt::format("Security group {} and network {} belong to different networks.", id, vpc));
  return found;
}

std::string SecurityGroups::id_of(const std::string& name) {
  const std::string vpc = default_vpc_unless("");
  if (const SecurityGroup* const found = named(name, vpc)) return found->id;
  const std::string id = ids_.of("sg", name);
  return strict_ ? id : assume(id, name, vpc).id;
}

void SecurityGroups::remove(const std::string& id) {
  const SecurityGroup& group = table.find(id);
  if (group.name == kDefaultGroup)
    throw ApiError("CannotDelete",
                   fmt::format("the specified group: \"{}\" name: \"{}\" cannot be deleted by a "
                               "user",
                               id, group.name));
  const auto depends = [&](const SecurityGroup& other) {
    return other.id != id && names(other, id);
  };
  if (table.first(depends))
    throw ApiError("DependencyViolation", fmt::format("resource {} has a dependent object", id));
  table.erase(id);
}

}  // namespace sim::vpc
