// Converts the rules of security groups in templates.
#pragma once

#include "api/ec2.h"
#include "fakes/cloudformation/types/type.h"

namespace fakes::cloudformation {

// One rule: IpProtocol, FromPort, ToPort, and CidrIp or another group, with a Description. Throws
// ApiError for a property of a rule that is not simulated.
api::ec2::IpPermission rule_of(const ResourceCall& call, const sim::Json& rule);
// The rules in a property, which is a list. Empty if the property is missing.
api::List<api::ec2::IpPermission> rules_of(const ResourceCall& call, const sim::Json& list);

}  // namespace fakes::cloudformation
