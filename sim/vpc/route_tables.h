// Route tables. Each VPC has a main table, for subnets without an association.
//
// Routes are shown and checked, but have no effect: guests reach the internet whatever their
// subnet's table contains.
#pragma once

#include <string>

#include "sim/vpc/interfaces.h"
#include "sim/vpc/internet_gateways.h"
#include "sim/vpc/resources.h"
#include "sim/vpc/table.h"
#include "sim/vpc/vpcs.h"

namespace sim::vpc {

class RouteTables {
 public:
  RouteTables(Ids& ids, const Vpcs& vpcs, const Subnets& subnets, const InternetGateways& gateways,
              const Interfaces& interfaces)
      : ids_(ids), vpcs_(vpcs), subnets_(subnets), gateways_(gateways), interfaces_(interfaces) {}

  const RouteTable& create(const std::string& id, const std::string& vpc);
  // The VPC's first table.
  const RouteTable& create_main(const std::string& id, const std::string& vpc);
  // Throws DependencyViolation for a main table and for a table with associations.
  void remove(const std::string& id);

  // ---- associations; returns the new one's ID
  // Throws Resource.AlreadyAssociated for a subnet that has one.
  std::string associate(const std::string& table, const std::string& subnet);
  void disassociate(const std::string& association);
  // Also makes another table the main one. Throws InvalidAssociationID.NotFound.
  std::string replace_association(const std::string& association, const std::string& table);
  // A subnet is deleted.
  void forget_subnet(const std::string& subnet);

  // ---- routes. `target`: "igw-…", "eni-…", "i-…".
  // Throws RouteAlreadyExists.
  void add_route(const std::string& table, const std::string& destination,
                 const std::string& target);
  // Throw InvalidRoute.NotFound.
  void replace_route(const std::string& table, const std::string& destination,
                     const std::string& target);
  void remove_route(const std::string& table, const std::string& destination);
  // Whether the route's target exists; if not, EC2 shows the route as a blackhole.
  bool is_active(const RouteTable&, const Route&) const;

  Table<RouteTable> table{"InvalidRouteTableID.NotFound", "routeTable ID"};

 private:
  RouteTable& of_association(const std::string& association);
  std::string checked_target(const RouteTable&, const std::string& target) const;
  Route& own_route(RouteTable&, const std::string& destination, const char* absent);

  Ids& ids_;
  const Vpcs& vpcs_;
  const Subnets& subnets_;
  const InternetGateways& gateways_;
  const Interfaces& interfaces_;
};

}  // namespace sim::vpc
