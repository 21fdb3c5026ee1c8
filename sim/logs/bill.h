// The charges of CloudWatch Logs.
#pragma once

#include <vector>

#include "sim/cloud/billing.h"
#include "sim/cloud/cloud.h"
#include "sim/logs/store.h"

namespace sim::logs {

// Charges from the store's beginning until now. Items without cost are omitted.
std::vector<cloud::LineItem> charges(const Store& store, Time begin, Time now,
                                     const cloud::Prices& prices);

}  // namespace sim::logs
