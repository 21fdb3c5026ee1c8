#include "fakes/cloudformation/types/table.h"

#include <algorithm>

#include "fakes/cloudformation/types/rows.h"

namespace fakes::cloudformation {
namespace {

// One line each.
const Type* const kTypes[] = {
    &auto_scaling_group::kType,
    &bucket::kType,
    &instance::kType,
    &instance_profile::kType,
    &launch_configuration::kType,
    &launch_template::kType,
    &lifecycle_hook::kType,
    &log_group::kType,
    &managed_policy::kType,
    &policy::kType,
    &role::kType,
    &spot_fleet::kType,
    &volume::kType,
    &volume_attachment::kType,
};

}  // namespace

std::span<const Type* const> all_types() { return kTypes; }

const Type* find_type(std::string_view name) {
  const auto found =
      std::ranges::find(kTypes, name, [](const Type* type) { return type->traits.type; });
  return found == std::end(kTypes) ? nullptr : *found;
}

}  // namespace fakes::cloudformation
