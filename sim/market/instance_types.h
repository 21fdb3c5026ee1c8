// What is known of instance types: a table of data.
#pragma once

#include <span>
#include <string_view>

#include "sim/market/usd.h"

namespace sim::market {

struct InstanceType {
  std::string_view name;
  int vcpus;
  int memory_mib;
  int gpus;
  std::string_view gpu;     // "V100", empty without
  Usd on_demand_us_west_2;  // Linux, an hour; AWS's public price list as of 2019–2021
};

// All types, by name.
std::span<const InstanceType> instance_types();
// nullptr when unknown.
const InstanceType* find_instance_type(std::string_view name);

}  // namespace sim::market
