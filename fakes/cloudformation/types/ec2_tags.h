// Tags of EC2's resources.
#pragma once

#include "fakes/cloudformation/types/type.h"

namespace fakes::cloudformation {

// What an update of the property Tags changes, and a Type::update of types that change no other.
void update_ec2_tags(const ResourceCall& call, const sim::Json& before);
inline constexpr std::string_view kOnlyTags[] = {"Tags"};

}  // namespace fakes::cloudformation
