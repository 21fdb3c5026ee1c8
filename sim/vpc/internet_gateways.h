// Internet gateways: a VPC has at most one.
#pragma once

#include <string>

#include "sim/vpc/resources.h"
#include "sim/vpc/table.h"
#include "sim/vpc/vpcs.h"

namespace sim::vpc {

class InternetGateways {
 public:
  explicit InternetGateways(const Vpcs& vpcs) : vpcs_(vpcs) {}

  // Throws Resource.AlreadyAssociated for a gateway that is attached, InvalidParameterValue for a
  // VPC that has another gateway.
  void attach(const std::string& gateway, const std::string& vpc);
  // Throws Gateway.NotAttached.
  void detach(const std::string& gateway, const std::string& vpc);
  // Throws DependencyViolation while the gateway is attached.
  void remove(const std::string& gateway);
  // Null for a VPC without a gateway.
  const InternetGateway* of(const std::string& vpc) const;

  Table<InternetGateway> table{"InvalidInternetGatewayID.NotFound", "internetGateway ID"};

 private:
  const Vpcs& vpcs_;
};

}  // namespace sim::vpc
