// `on_demand` of a sweep's trace: the on-demand prices of its pools.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "sim/market/pool.h"
#include "sim/scenario/yaml_fields.h"

namespace sim::sweep {

// One price for all pools, the listed price of each pool's type in its region, or stated prices.
// Prices can be stated by type (p3.2xlarge), by type and region (p3.2xlarge/us-east-1) or by pool;
// the most specific one applies.
class OnDemandPrices {
 public:
  // Uses the job's `prices.on_demand`.
  OnDemandPrices() = default;
  // Reads the key `on_demand`, if it exists.
  explicit OnDemandPrices(scenario::Fields& fields);

  // The pool's price per hour; for listed prices the one in force at `at`. Zero: the job's. Empty
  // if there is no price; an error was added.
  std::optional<market::Usd> of(const market::Pool& pool, Time at) const;
  // True if each type has its own price.
  bool by_type() const { return listed_ || !named_.empty(); }

 private:
  void read(const scenario::Value& value);

  std::optional<scenario::Value> value_;
  market::Usd all_{};
  bool listed_ = false;
  std::map<std::string, market::Usd> named_;
};

}  // namespace sim::sweep
