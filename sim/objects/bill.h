// The charges of S3.
#pragma once

#include <vector>

#include "sim/cloud/billing.h"
#include "sim/cloud/cloud.h"
#include "sim/objects/store.h"

namespace sim::objects {

// Charges from the store's beginning until now. Items without cost are omitted.
std::vector<cloud::LineItem> charges(const Store& store, Time begin, Time now,
                                     const cloud::Prices& prices);

}  // namespace sim::objects
