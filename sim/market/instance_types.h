// The table of instance types: sim/market/instance_types.csv, which is built in, and similar files
// that a user adds (docs/instance-types.md has the columns and the sources).
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "sim/kernel/time.h"
#include "sim/market/usd.h"

namespace sim::market {

struct OnDemandPrice {
  std::string region;
  Usd per_hour;       // Linux
  std::string as_of;  // the date of the price list: "2025-11-30", "2025-06", "2019-2021"
  Time since;         // when `as_of` begins
};

struct InstanceType {
  std::string name;
  int vcpus = 0;
  int memory_mib = 0;
  double gpus = 0;                       // a fraction if several instances share one
  std::string gpu;                       // maker and name, "NVIDIA V100"; empty without
  std::string architecture;              // "x86_64", "arm64"
  std::vector<OnDemandPrice> on_demand;  // at least one; each region at most once per date
};

using InstanceTypes = std::map<std::string, InstanceType, std::less<>>;

// An error in a file of instance types; what() names file, line, field, the found value and the
// expected one.
class InstanceTypeError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The types that spotsim brings along.
std::shared_ptr<const InstanceTypes> instance_types();
// The built-in types and those of a CSV file, which replace types of the same name. Throws
// InstanceTypeError.
std::shared_ptr<const InstanceTypes> instance_types_with(const std::filesystem::path& file);
// The types of a CSV text; `file` names it in messages. Throws InstanceTypeError.
InstanceTypes parse_instance_types(std::string_view csv, const std::string& file);
// The text of sim/market/instance_types.csv, as it was built in.
std::string_view builtin_instance_types_csv();

// nullptr when unknown.
const InstanceType* find_instance_type(const InstanceTypes& types, std::string_view name);
// For messages about an unknown name: the nearest known name, or where to find all names.
std::string expected_instance_type(const InstanceTypes& types, std::string_view unknown);

// The price in the region, else the price in us-west-2, else the price in the first region that has
// one. Of several price lists, the newest one that had begun at `at` counts; if none had begun, the
// oldest. Without `at`, and at times before EC2 existed (traces without dates), the newest list
// counts.
const OnDemandPrice& on_demand_price(const InstanceType& type, std::string_view region,
                                     std::optional<Time> at = {});

}  // namespace sim::market
