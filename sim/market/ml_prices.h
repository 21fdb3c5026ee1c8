// SageMaker's price of a training instance, as a multiple of EC2's price for the same type.
// ml_prices.cpp has the types of SageMaker's price list. For other types the multiple is assumed.
// Until 2020 and 2021 SageMaker charged 1.4 times EC2's price for the types that it had by then.
// Managed spot training is charged at the spot price times the same multiple; AWS does not document
// this.
#pragma once

#include <optional>
#include <string_view>

#include "sim/kernel/time.h"
#include "sim/market/instance_types.h"

namespace sim::market {

struct MlPrice {
  double factor = 1;                    // of EC2's price
  std::string_view source = "assumed";  // otherwise the list with the price
};

// The multiple at that time; without a time, in the newest list.
MlPrice ml_price(const InstanceType& type, std::optional<Time> at = {});

}  // namespace sim::market
