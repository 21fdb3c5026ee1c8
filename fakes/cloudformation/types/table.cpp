#include "fakes/cloudformation/types/table.h"

#include <algorithm>

#include "fakes/cloudformation/types/rows.h"

namespace fakes::cloudformation {
namespace {

// One line each.
const Type* const kTypes[] = {
    &alarm::kType,
    &auto_scaling_group::kType,
    &bucket::kType,
    &ec2_fleet::kType,
    &elastic_ip::kType,
    &elastic_ip_association::kType,
    &instance::kType,
    &instance_profile::kType,
    &internet_gateway::kType,
    &key_pair::kType,
    &launch_configuration::kType,
    &launch_template::kType,
    &lifecycle_hook::kType,
    &log_group::kType,
    &managed_policy::kType,
    &placement_group::kType,
    &policy::kType,
    &queue::kType,
    &queue_policy::kType,
    &role::kType,
    &route::kType,
    &route_table::kType,
    &rule::kType,
    &security_group::kType,
    &security_group_rule::kEgress,
    &security_group_rule::kIngress,
    &spot_fleet::kType,
    &subnet::kType,
    &subnet_route_table_association::kType,
    &subscription::kType,
    &topic::kType,
    &volume::kType,
    &volume_attachment::kType,
    &vpc::kType,
    &vpc_gateway_attachment::kType,
};

}  // namespace

std::span<const Type* const> all_types() { return kTypes; }

const Type* find_type(std::string_view name) {
  const auto found =
      std::ranges::find(kTypes, name, [](const Type* type) { return type->traits.type; });
  return found == std::end(kTypes) ? nullptr : *found;
}

}  // namespace fakes::cloudformation
