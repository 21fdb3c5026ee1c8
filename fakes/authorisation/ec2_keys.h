// EC2's condition keys (Service Authorization Reference, "Actions, resources, and condition keys
// for Amazon EC2").
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fakes/authorisation/context.h"

namespace fakes::authorisation {

// The values of "ec2:…" in lower case. RunInstances needs a permission on each resource of a
// launch, whose keys differ by its type: an instance has ec2:InstanceType, its image does not. Most
// keys of other actions do not depend on the type.
std::optional<sim::iam::Values> find_ec2_key(const Subject& subject, std::string_view key);

// The names of all these keys: "ec2:InstanceType".
std::vector<std::string_view> ec2_keys();

// The type of an EC2 resource: "volume" of "arn:aws:ec2:us-west-2:123456789012:volume/vol-1".
// Empty for other ARNs and for "*".
std::string_view resource_type(std::string_view arn);
// The ID at the end of an ARN.
std::string id_in(const std::string& arn);
// The instance with this ID, or null.
const sim::cloud::Instance* find_instance(const RequestContext& context, const std::string& id);

}  // namespace fakes::authorisation
