// Which spot market a group launches its next instance in.
#pragma once

#include <optional>
#include <string>

#include "sim/cloud/cloud.h"
#include "sim/elastigroup/group.h"

namespace sim::elastigroup {

// The best market that has capacity now at no more than the on-demand price. `only_zone`: the zone
// that the stateful instance's volumes or address bind it to; empty: any of the group's.
std::optional<market::Pool> best_market(const GroupSpec& spec, cloud::Cloud& cloud,
                                        const std::string& only_zone);

}  // namespace sim::elastigroup
