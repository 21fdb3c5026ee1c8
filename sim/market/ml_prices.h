// What SageMaker asks for a training instance, as a multiple of what EC2 asks for the same type.
// SageMaker's price list has the types of ml_prices.cpp; for other types the multiple is assumed.
// Until 2020 and 2021 SageMaker asked 1.4 times EC2's price for the types that it had by then.
// Managed spot training is charged at the spot price times the same multiple, which AWS does not
// document.
#pragma once

#include <optional>
#include <string_view>

#include "sim/kernel/time.h"
#include "sim/market/instance_types.h"

namespace sim::market {

struct MlPrice {
  double factor = 1;                    // of EC2's price
  std::string_view source = "assumed";  // otherwise the list that has it
};

// At that time; without one, of the newest list.
MlPrice ml_price(const InstanceType& type, std::optional<Time> at = {});

}  // namespace sim::market
