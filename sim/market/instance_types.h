// What is known of instance types: sim/market/instance_types.csv, which is built in, and files like
// it that a user adds (docs/instance-types.md has the columns and the sources).
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
  double gpus = 0;                       // a fraction where several instances share one
  std::string gpu;                       // maker and name, "NVIDIA V100"; empty without
  std::string architecture;              // "x86_64", "arm64"
  std::vector<OnDemandPrice> on_demand;  // one at least, each region once for a date
};

using InstanceTypes = std::map<std::string, InstanceType, std::less<>>;

// A file of instance types that cannot be read; what() names file, line, field, what was found and
// what was expected.
class InstanceTypeError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The types that spotsim brings along.
std::shared_ptr<const InstanceTypes> instance_types();
// The same, and those of a CSV file, which take the place of types with their names. Throws
// InstanceTypeError.
std::shared_ptr<const InstanceTypes> instance_types_with(const std::filesystem::path& file);
// The types of a CSV text; `file` names it in messages. Throws InstanceTypeError.
InstanceTypes parse_instance_types(std::string_view csv, const std::string& file);
// sim/market/instance_types.csv as it was built in.
std::string_view builtin_instance_types_csv();

// nullptr when unknown.
const InstanceType* find_instance_type(const InstanceTypes& types, std::string_view name);
// For messages about a name that is unknown: the known name that is nearest to it, or where to find
// them all.
std::string expected_instance_type(const InstanceTypes& types, std::string_view unknown);

// The price in the region; where none is known us-west-2's, and where that is unknown too the one
// of the first region that has one. Of several price lists the one in force at `at` counts: the
// newest that had begun by then, or the oldest if all began later. Without `at`, and at times
// before EC2 existed, which traces without dates have, the newest counts.
const OnDemandPrice& on_demand_price(const InstanceType& type, std::string_view region,
                                     std::optional<Time> at = {});

}  // namespace sim::market
