// Converts rules of security groups between the API's structures and the model's.
#pragma once

#include <vector>

#include "api/ec2.h"
#include "fakes/action.h"

namespace fakes::ec2 {

// One rule for each peer in each permission. Throws InvalidPermission.Malformed and similar errors.
std::vector<sim::vpc::Rule> read_permissions(const Call& call,
                                             const api::List<api::ec2::IpPermission>& given,
                                             bool egress);

// The rules of one direction. Rules with the same protocol and ports form one permission.
api::List<api::ec2::IpPermission> shown_permissions(const Call& call,
                                                    const sim::vpc::SecurityGroup& group,
                                                    bool egress);

api::ec2::SecurityGroupRule shown_rule(const Call& call, const sim::vpc::SecurityGroup& group,
                                       const sim::vpc::Rule& rule);

}  // namespace fakes::ec2
