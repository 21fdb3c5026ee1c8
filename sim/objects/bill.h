// What S3 costs.
#pragma once

#include <vector>

#include "sim/cloud/billing.h"
#include "sim/cloud/cloud.h"
#include "sim/objects/store.h"

namespace sim::objects {

// From the store's beginning to now; what cost nothing is left out.
std::vector<cloud::LineItem> charges(const Store& store, Time begin, Time now,
                                     const cloud::Prices& prices);

}  // namespace sim::objects
