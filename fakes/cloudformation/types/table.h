// The table of all resource types.
#pragma once

#include "fakes/cloudformation/types/type.h"

namespace fakes::cloudformation {

// Returns null for a type that is not simulated.
const Type* find_type(std::string_view name);
std::span<const Type* const> all_types();

}  // namespace fakes::cloudformation
