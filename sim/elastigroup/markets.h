// Selects the spot market in which a group launches its next instance.
#pragma once

#include <optional>
#include <string>

#include "sim/cloud/cloud.h"
#include "sim/elastigroup/group.h"

namespace sim::elastigroup {

// Returns the best market that has capacity now at no more than the on-demand price. `only_zone` is
// the zone to which the stateful instance's volumes or address bind it. Empty: any of the group's
// zones.
std::optional<market::Pool> best_market(const GroupSpec& spec, cloud::Cloud& cloud,
                                        const std::string& only_zone);

}  // namespace sim::elastigroup
