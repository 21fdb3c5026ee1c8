// Tags of EC2's resources.
#pragma once

#include "fakes/cloudformation/types/type.h"

namespace fakes::cloudformation {

// Changes the tags in an update. It is the Type::update of types that support no other change.
void update_ec2_tags(const ResourceCall& call, const sim::Json& before);
inline constexpr std::string_view kOnlyTags[] = {"Tags"};

}  // namespace fakes::cloudformation
