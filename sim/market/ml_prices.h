// What SageMaker asks for a training instance, as a multiple of what EC2 asks for the same type.
// SageMaker's price list has the types of ml_prices.cpp; for other types the multiple is assumed.
// Managed spot training is charged at the spot price times the same multiple, which AWS does not
// document.
#pragma once

#include "sim/market/instance_types.h"

namespace sim::market {

struct MlPrice {
  double factor = 1;    // of EC2's price
  bool listed = false;  // by SageMaker; otherwise assumed
};

MlPrice ml_price(const InstanceType& type);

}  // namespace sim::market
