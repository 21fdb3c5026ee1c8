#include "sim/vpc/vpcs.h"

#include <fmt/ranges.h>

#include <algorithm>

namespace sim::vpc {
namespace {

// VPC user guide, "VPC CIDR blocks" and "Subnet CIDR blocks".
constexpr int kLargest = 16, kSmallest = 28;

Cidr checked(const std::string& block, const char* range_error) {
  const auto cidr = parse_cidr(block);
  if (!cidr)
    throw ApiError("InvalidParameterValue",
                   fmt::format("Value ({}) for parameter cidrBlock is invalid. This is not a valid "
                               "CIDR block.",
                               block));
  if (cidr->prefix < kLargest || cidr->prefix > kSmallest)
    throw ApiError(range_error, fmt::format("The CIDR '{}' is invalid.", block));
  return *cidr;
}

}  // namespace

const Vpc& Vpcs::create(const std::string& id, const std::string& cidr,
                        const std::string& tenancy) {
  return table.add({.id = id, .cidr = checked(cidr, "InvalidVpc.Range"), .tenancy = tenancy});
}

const Vpc* Vpcs::default_vpc() const {
  return table.first([](const Vpc& vpc) { return vpc.is_default; });
}

void Vpcs::associate_dhcp_options(const std::string& vpc, const std::string& options) {
  Vpc& changed = table.find(vpc);
  changed.dhcp_options = options == "default" ? "" : dhcp_options.find(options).id;
}

void Vpcs::delete_dhcp_options(const std::string& options) {
  const std::string id = dhcp_options.find(options).id;
  if (table.first([&](const Vpc& vpc) { return vpc.dhcp_options == id; }))
    throw ApiError("DependencyViolation",
                   fmt::format("The dhcpOptions '{}' has dependencies and cannot be deleted.", id));
  dhcp_options.erase(id);
}

void Subnets::check_zone(const std::string& zone) const {
  if (std::ranges::find(zones_, zone) != zones_.end()) return;
  throw ApiError("InvalidParameterValue",
                 fmt::format("Value ({}) for parameter availabilityZone is invalid. Subnets can "
                             "currently only be created in the following availability zones: {}.",
                             zone, fmt::join(zones_, ", ")));
}

const Subnet& Subnets::create(const std::string& id, const std::string& vpc,
                              const std::string& cidr, const std::string& zone) {
  const Cidr block = checked(cidr, "InvalidSubnet.Range");
  if (!vpcs_.table.find(vpc).cidr.contains(block))
    throw ApiError("InvalidSubnet.Range", fmt::format("The CIDR '{}' is invalid.", cidr));
  if (!zone.empty()) check_zone(zone);
  const auto overlaps = [&](const Subnet& other) {
    return other.vpc == vpc && other.cidr.overlaps(block);
  };
  if (table.first(overlaps))
    throw ApiError("InvalidSubnet.Conflict",
                   fmt::format("The CIDR '{}' conflicts with another subnet", cidr));
  return table.add(
      {.id = id, .vpc = vpc, .zone = zone.empty() ? zones_.at(0) : zone, .cidr = block});
}

const Subnet& Subnets::create_default(const std::string& id, const std::string& zone) {
  check_zone(zone);
  const Vpc* const vpc = vpcs_.default_vpc();
  if (!vpc)
    throw ApiError("DefaultVpcDoesNotExist",
                   "No default VPC exists for this account in this region.");
  if (const Subnet* const old = default_of(zone))
    throw ApiError("DefaultSubnetAlreadyExistsInAvailabilityZone",
                   fmt::format("'{}' is already the default subnet in {}.", old->id, zone));
  const auto place = std::ranges::find(zones_, zone) - zones_.begin();
  const std::string cidr = fmt::format("172.31.{}.0/20", place * 16);
  Subnet& made = table.find(create(id, vpc->id, cidr, zone).id);
  made.default_for_zone = made.map_public_ip = true;
  return made;
}

const Subnet* Subnets::default_of(const std::string& zone) const {
  return table.first([&](const Subnet& s) { return s.default_for_zone && s.zone == zone; });
}

}  // namespace sim::vpc
