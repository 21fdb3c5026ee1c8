#include "sim/vpc/network.h"

#include <algorithm>
#include <limits>

namespace sim::vpc {
namespace {

constexpr const char* kDefaultCidr = "172.31.0.0/16";
constexpr const char* kDefaultName = "default";
constexpr const char* kEverywhere = "0.0.0.0/0";

ApiError dependency(const char* what, const std::string& id) {
  return {"DependencyViolation",
          fmt::format("The {} '{}' has dependencies and cannot be deleted.", what, id)};
}

}  // namespace

Network::Network(const Streams& streams, std::vector<std::string> zones)
    : ids_(streams),
      subnets(vpcs, std::move(zones)),
      gateways(vpcs),
      groups(ids_, vpcs),
      interfaces(ids_, subnets),
      route_tables(ids_, vpcs, subnets, gateways, interfaces),
      addresses(ids_, interfaces, gateways),
      key_pairs(ids_, streams),
      placement_groups(ids_) {
  make_default_vpc(Naming::kSeed);
}

std::string Network::id(Naming naming, const std::string& prefix, const std::string& name) {
  return naming == Naming::kSeed ? ids_.of(prefix, name) : ids_.next(prefix);
}

const Vpc& Network::make_default_vpc(Naming naming) {
  const auto named = [&](const char* prefix) { return id(naming, prefix, kDefaultName); };
  Vpc& vpc = vpcs.table.find(vpcs.create(named("vpc"), kDefaultCidr, "default").id);
  vpc.is_default = vpc.dns_hostnames = true;
  for (const std::string& zone : subnets.zones())
    subnets.create_default(id(naming, "subnet", zone), zone);
  const std::string gateway = gateways.table.add({.id = named("igw")}).id;
  gateways.attach(gateway, vpc.id);
  const std::string table = route_tables.create_main(named("rtb"), vpc.id).id;
  route_tables.add_route(table, kEverywhere, gateway);
  groups.create_default(named("sg"), vpc.id);
  return vpc;
}

const Vpc& Network::create_vpc(const std::string& cidr, const std::string& tenancy) {
  const Vpc& vpc = vpcs.create(ids_.next("vpc"), cidr, tenancy);
  route_tables.create_main(ids_.next("rtb"), vpc.id);
  groups.create_default(ids_.next("sg"), vpc.id);
  return vpc;
}

const Vpc& Network::create_default_vpc() {
  if (vpcs.default_vpc())
    throw ApiError("DefaultVpcAlreadyExists",
                   "A Default VPC already exists for this account in this region.");
  return make_default_vpc(Naming::kNew);
}

const Subnet& Network::create_subnet(const std::string& vpc, const std::string& cidr,
                                     const std::string& zone) {
  return subnets.create(ids_.next("subnet"), vpc, cidr, zone);
}

const Subnet& Network::create_default_subnet(const std::string& zone) {
  return subnets.create_default(ids_.next("subnet"), zone);
}

const InternetGateway& Network::create_internet_gateway() {
  return gateways.table.add({.id = ids_.next("igw")});
}

const RouteTable& Network::create_route_table(const std::string& vpc) {
  return route_tables.create(ids_.next("rtb"), vpc);
}

const DhcpOptions& Network::create_dhcp_options(DhcpOptions made) {
  made.id = ids_.next("dopt");
  return vpcs.dhcp_options.add(std::move(made));
}

void Network::delete_vpc(const std::string& id) {
  vpcs.table.find(id);
  const auto in_it = [&](const auto& resource) { return resource.vpc == id; };
  const auto own_table = [&](const RouteTable& t) {
    return in_it(t) && t.main_association.empty();
  };
  const auto own_group = [&](const SecurityGroup& g) {
    return in_it(g) && g.name != kDefaultGroup;
  };
  if (subnets.table.first(in_it) || gateways.of(id) || route_tables.table.first(own_table) ||
      groups.table.first(own_group))
    throw dependency("vpc", id);
  route_tables.table.erase(route_tables.table.first(in_it)->id);
  groups.table.erase(groups.table.first(in_it)->id);
  vpcs.table.erase(id);
}

void Network::delete_subnet(const std::string& id) {
  subnets.table.find(id);
  if (interfaces.uses_subnet(id)) throw dependency("subnet", id);
  route_tables.forget_subnet(id);
  subnets.table.erase(id);
}

void Network::delete_security_group(const std::string& id) {
  groups.table.find(id);
  if (interfaces.uses_group(id))
    throw ApiError("DependencyViolation", fmt::format("resource {} has a dependent object", id));
  groups.remove(id);
}

void Network::detach_internet_gateway(const std::string& gateway, const std::string& vpc) {
  gateways.table.find(gateway);
  const auto is_public = [&](const Interface& interface) {
    return interface.vpc == vpc && public_address(addresses, interface);
  };
  if (interfaces.table.first(is_public))
    throw ApiError("DependencyViolation",
                   fmt::format("Network {} has some mapped public address(es). Please unmap those "
                               "public address(es) before detaching the gateway.",
                               vpc));
  gateways.detach(gateway, vpc);
}

void Network::delete_interface(const std::string& id) {
  const std::string removed = id;  // which may be the interface's own
  interfaces.remove(removed);
  addresses.forget_interface(removed);
}

void Network::release(const std::string& instance) {
  for (const std::string& removed : interfaces.release(instance))
    addresses.forget_interface(removed);
  placement_groups.leave(instance);
}

bool Network::has(const std::string& subnet, const std::string& zone,
                  const std::vector<std::string>& named) const {
  const auto known = [&](const std::string& group) { return groups.table.has(group); };
  const auto fits = [&](const Subnet& one) {
    return one.default_for_zone && (zone.empty() || one.zone == zone);
  };
  if (!std::ranges::all_of(named, known)) return false;
  return subnet.empty() ? subnets.table.first(fits) != nullptr : subnets.table.has(subnet);
}

int Network::room(const std::string& id, const std::string& zone,
                  const std::string& private_ip) const {
  const Subnet* const subnet = id.empty()              ? subnets.default_of(zone)
                               : subnets.table.has(id) ? &subnets.table.find(id)
                                                       : nullptr;
  if (!subnet) return 0;
  if (!private_ip.empty()) return interfaces.is_free(*subnet, private_ip) ? 1 : 0;
  if (subnet->default_for_zone) return std::numeric_limits<int>::max();
  return static_cast<int>(interfaces.free_addresses(*subnet));
}

Tags& Network::tags(const std::string& id) {
  const auto has_prefix = [&](const char* prefix) { return id.starts_with(prefix); };
  if (has_prefix("vpc-")) return vpcs.table.find(id).tags;
  if (has_prefix("subnet-")) return subnets.table.find(id).tags;
  if (has_prefix("igw-")) return gateways.table.find(id).tags;
  if (has_prefix("rtb-")) return route_tables.table.find(id).tags;
  if (has_prefix("sg-")) return groups.table.find(id).tags;
  if (has_prefix("sgr-")) return groups.rule(id).tags;
  if (has_prefix("eni-")) return interfaces.table.find(id).tags;
  if (has_prefix("eipalloc-")) return addresses.table.find(id).tags;
  if (has_prefix("key-")) return key_pairs.table.find(id).tags;
  if (has_prefix("pg-")) return placement_groups.table.find(id).tags;
  if (has_prefix("dopt-")) return vpcs.dhcp_options.find(id).tags;
  throw ApiError("InvalidID", "The ID '" + id + "' is not valid");
}

std::string Network::obstacle(const Interface& from, const Interface& to, int port) const {
  if (from.vpc != to.vpc) return "the instances are in different VPCs";
  if (!groups.permit(from.groups, true, "tcp", port, to.private_ip, to.groups))
    return "no security group of the caller lets it out";
  if (!groups.permit(to.groups, false, "tcp", port, from.private_ip, from.groups))
    return "no security group of the target lets it in";
  return "";
}

}  // namespace sim::vpc
