// VPCs, subnets, security groups and zones in answers about other resources.
#pragma once

#include <string>
#include <string_view>

#include "api/ec2.h"
#include "fakes/action.h"

namespace fakes::ec2 {

// The VPC of an instance; empty if its subnet is deleted.
std::string vpc_of(const Backend& backend, const sim::cloud::Instance& instance);
// A security group by its ID, or by its name in the default VPC. Throws InvalidGroup.NotFound.
const sim::vpc::SecurityGroup& find_group(const Call& call, const api::Opt<std::string>& id,
                                          const api::Opt<std::string>& name);
// Empty for an unknown ID.
api::Opt<std::string> security_group_name(const Backend& backend, const std::string& id);
// "us-west-2b" → "usw2-az2" (sim/market/zones.h).
std::string zone_id(const std::string& availability_zone);

// "arn:aws:ec2:us-west-2:123456789012:subnet/subnet-1"
std::string arn(const Call& call, std::string_view type, const std::string& id);
// Gives the new resource the tags of its request, if the answer shows tags.
void tag_new(Call& call, const std::string& id, const sim::cloud::Tags& tags);

}  // namespace fakes::ec2
