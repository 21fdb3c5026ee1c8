// The charges of S3.
#pragma once

#include <string>
#include <vector>

#include "sim/cloud/billing.h"
#include "sim/cloud/cloud.h"
#include "sim/objects/store.h"

namespace sim::objects {

// The charges for the buckets of a region (Bucket::region), from the store's beginning until now.
// Items without cost are omitted.
std::vector<cloud::LineItem> charges(const Store& store, const std::string& region, Time begin,
                                     Time now, const cloud::Prices& prices);

}  // namespace sim::objects
