// The network that every account has: one default VPC with one default subnet a zone. Their IDs are
// functions of the seed.
#pragma once

#include <string>

#include "api/types.h"
#include "fakes/action.h"

namespace fakes::ec2 {

inline constexpr const char* kVpcCidr = "172.31.0.0/16";

std::string vpc_id(const Backend& backend);
// The addresses of a zone's default subnet.
std::string subnet_cidr(const Backend& backend, const std::string& availability_zone);
// The default subnet of a zone.
std::string subnet_id(const Call& call, const std::string& availability_zone);
// Throws InvalidSubnetID.NotFound.
std::string zone_of_subnet(const Call& call, const std::string& subnet);
// The ID that goes for a security group of this name; groups other than "default" are names only.
std::string security_group_id(const Call& call, const std::string& group_name);
// Empty for an ID that is of no name that was ever given.
api::Opt<std::string> security_group_name(const Backend& backend, const std::string& id);
// "us-west-2b" → "usw2-az2" (sim/market/zones.h).
std::string zone_id(const std::string& availability_zone);

}  // namespace fakes::ec2
