#include "sim/vpc/internet_gateways.h"

namespace sim::vpc {

const InternetGateway* InternetGateways::of(const std::string& vpc) const {
  return table.first([&](const InternetGateway& gateway) { return gateway.vpc == vpc; });
}

void InternetGateways::attach(const std::string& id, const std::string& vpc) {
  InternetGateway& gateway = table.find(id);
  vpcs_.table.find(vpc);
  if (!gateway.vpc.empty())
    throw ApiError("Resource.AlreadyAssociated",
                   fmt::format("resource {} is already attached to network {}", id, gateway.vpc));
  if (of(vpc))
    throw ApiError("InvalidParameterValue",
                   fmt::format("Network {} already has an internet gateway attached", vpc));
  gateway.vpc = vpc;
}

void InternetGateways::detach(const std::string& id, const std::string& vpc) {
  InternetGateway& gateway = table.find(id);
  if (vpc.empty() || gateway.vpc != vpc)
    throw ApiError("Gateway.NotAttached",
                   fmt::format("resource {} is not attached to network {}", id, vpc));
  gateway.vpc.clear();
}

void InternetGateways::remove(const std::string& id) {
  if (!table.find(id).vpc.empty())
    throw ApiError(
        "DependencyViolation",
        fmt::format("The internetGateway '{}' has dependencies and cannot be deleted.", id));
  table.erase(id);
}

}  // namespace sim::vpc
