#include "sim/vpc/route_tables.h"

#include <algorithm>

namespace sim::vpc {
namespace {

constexpr const char* kLocal = "local";

Cidr destination_block(const std::string& destination) {
  if (const auto block = parse_cidr(destination)) return *block;
  throw ApiError(
      "InvalidParameterValue",
      fmt::format("Value ({}) for parameter destinationCidrBlock is invalid. This is not "
                  "a valid CIDR block.",
                  destination));
}

auto find_route(RouteTable& table, const Cidr& destination) {
  return std::ranges::find(table.routes, destination, &Route::destination);
}

}  // namespace

const RouteTable& RouteTables::create(const std::string& id, const std::string& vpc) {
  const Cidr block = vpcs_.table.find(vpc).cidr;
  return table.add({.id = id, .vpc = vpc, .routes = {{block, kLocal}}});
}

const RouteTable& RouteTables::create_main(const std::string& id, const std::string& vpc) {
  create(id, vpc);
  RouteTable& made = table.find(id);
  made.main_association = "rtbassoc-" + id.substr(4);
  return made;
}

void RouteTables::remove(const std::string& id) {
  const RouteTable& doomed = table.find(id);
  if (!doomed.main_association.empty() || !doomed.associations.empty())
    throw ApiError("DependencyViolation",
                   fmt::format("The routeTable '{}' has dependencies and cannot be deleted.", id));
  table.erase(id);
}

std::string RouteTables::associate(const std::string& id, const std::string& subnet) {
  RouteTable& chosen = table.find(id);
  if (subnets_.table.find(subnet).vpc != chosen.vpc)
    throw ApiError(
        "InvalidParameterValue",
        fmt::format("Route table {} and subnet {} belong to different networks", id, subnet));
  for (const auto& [other_id, other] : table.all())
    for (const auto& [association, associated] : other.associations) {
      if (associated != subnet) continue;
      if (other_id == id) return association;
      throw ApiError("Resource.AlreadyAssociated",
                     fmt::format("the specified association for route table {} conflicts with an "
                                 "existing association",
                                 id));
    }
  const std::string association = ids_.next("rtbassoc");
  chosen.associations[association] = subnet;
  return association;
}

RouteTable& RouteTables::of_association(const std::string& association) {
  RouteTable* const found = table.first([&](const RouteTable& one) {
    return one.main_association == association || one.associations.contains(association);
  });
  if (association.empty() || !found)
    throw ApiError("InvalidAssociationID.NotFound",
                   fmt::format("The association ID '{}' does not exist", association));
  return *found;
}

void RouteTables::disassociate(const std::string& association) {
  RouteTable& one = of_association(association);
  if (one.main_association == association)
    throw ApiError("InvalidParameterValue",
                   "cannot disassociate the main route table association " + association);
  one.associations.erase(association);
}

std::string RouteTables::replace_association(const std::string& association,
                                             const std::string& id) {
  RouteTable& before = of_association(association);
  RouteTable& after = table.find(id);
  if (before.vpc != after.vpc)
    throw ApiError("InvalidParameterValue",
                   fmt::format("Route table {} and association {} belong to different networks", id,
                               association));
  const std::string made = ids_.next("rtbassoc");
  if (before.main_association == association) {
    before.main_association.clear();
    after.main_association = made;
  } else {
    const auto old = before.associations.extract(association);
    after.associations[made] = old.mapped();
  }
  return made;
}

void RouteTables::forget_subnet(const std::string& subnet) {
  for (const auto& [id, one] : table.all())
    std::erase_if(table.find(id).associations,
                  [&](const auto& association) { return association.second == subnet; });
}

std::string RouteTables::checked_target(const RouteTable& one, const std::string& target) const {
  if (target.starts_with("igw-")) {
    if (gateways_.table.find(target).vpc != one.vpc)
      throw ApiError("InvalidParameterValue",
                     fmt::format("route table {} and network gateway {} belong to different "
                                 "networks",
                                 one.id, target));
    return target;
  }
  const Interface* const own = target.starts_with("i-") ? interfaces_.of(target) : nullptr;
  if (target.starts_with("i-") && !own)
    throw ApiError("InvalidInstanceID.NotFound",
                   fmt::format("The instance ID '{}' does not exist", target));
  const std::string interface = own ? own->id : target;
  if (interfaces_.table.find(interface).vpc != one.vpc)
    throw ApiError("InvalidParameterValue",
                   fmt::format("route table {} and interface {} belong to different networks",
                               one.id, interface));
  return interface;
}

bool RouteTables::is_active(const RouteTable& one, const Route& route) const {
  if (route.target == kLocal) return true;
  if (!route.target.starts_with("igw-")) return interfaces_.table.has(route.target);
  return gateways_.table.has(route.target) && gateways_.table.find(route.target).vpc == one.vpc;
}

void RouteTables::add_route(const std::string& id, const std::string& destination,
                            const std::string& target) {
  RouteTable& one = table.find(id);
  const Cidr block = destination_block(destination);
  const std::string checked = checked_target(one, target);
  const auto old = find_route(one, block);
  if (old != one.routes.end() && old->target == checked) return;
  if (old != one.routes.end())
    throw ApiError("RouteAlreadyExists",
                   fmt::format("The route identified by {} already exists.", text(block)));
  if (vpcs_.table.find(one.vpc).cidr.contains(block))
    throw ApiError(
        "InvalidParameterValue",
        fmt::format("The destination CIDR block {} is equal to or more specific than one "
                    "of this VPC's CIDR blocks. This route can target only an interface "
                    "or an instance.",
                    text(block)));
  one.routes.push_back({block, checked});
}

Route& RouteTables::own_route(RouteTable& one, const std::string& destination, const char* local) {
  const Cidr block = destination_block(destination);
  const auto found = find_route(one, block);
  if (found == one.routes.end())
    throw ApiError("InvalidRoute.NotFound",
                   fmt::format("no route with destination-cidr-block {} in route table {}",
                               text(block), one.id));
  if (found->target == kLocal)
    throw ApiError(
        "InvalidParameterValue",
        fmt::format("cannot {} local route {} in route table {}", local, text(block), one.id));
  return *found;
}

void RouteTables::replace_route(const std::string& id, const std::string& destination,
                                const std::string& target) {
  RouteTable& one = table.find(id);
  const std::string checked = checked_target(one, target);
  own_route(one, destination, "replace").target = checked;
}

void RouteTables::remove_route(const std::string& id, const std::string& destination) {
  RouteTable& one = table.find(id);
  const Cidr block = own_route(one, destination, "remove").destination;
  one.routes.erase(find_route(one, block));
}

}  // namespace sim::vpc
