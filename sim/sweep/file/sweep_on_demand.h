// `on_demand` of a sweep's trace: what its pools cost on demand.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "sim/market/pool.h"
#include "sim/scenario/yaml_fields.h"

namespace sim::run {

// One price for all pools, the list's price of each one's type in its region, or prices by type
// (p3.2xlarge), by type and region (p3.2xlarge/us-east-1) or by pool; the closest counts.
class OnDemandPrices {
 public:
  // None: the job's `prices.on_demand`.
  OnDemandPrices() = default;
  // Takes the key `on_demand`, where there is one.
  explicit OnDemandPrices(Fields& fields);

  // An hour's price of the pool, from a list the price in force at `at`; zero: the job's. Empty
  // where the prices do not have it: an error has been added.
  std::optional<market::Usd> of(const market::Pool& pool, Time at) const;
  // Whether each type has its own.
  bool by_type() const { return listed_ || !named_.empty(); }

 private:
  void read(const Value& value);

  std::optional<Value> value_;
  market::Usd all_{};
  bool listed_ = false;
  std::map<std::string, market::Usd> named_;
};

}  // namespace sim::run
