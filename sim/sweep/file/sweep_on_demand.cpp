#include "sim/sweep/file/sweep_on_demand.h"

#include "sim/sweep/file/sweep_file_parts.h"

namespace sim::sweep {
namespace {

constexpr const char* kExpectedOnDemand =
    "US dollars an hour above 0, `listed` (what `spotsim types` says), or prices by type such as "
    "{p3.2xlarge: 3.06, p3.2xlarge/eu-west-1: 3.305}";

}  // namespace

OnDemandPrices::OnDemandPrices(scenario::Fields& fields) {
  if (const auto value = fields.take("on_demand")) read(*value);
}

void OnDemandPrices::read(const scenario::Value& value) {
  value_ = value;
  if (value.is_map()) {
    scenario::Fields prices(value);
    for (const scenario::Value& price : prices.take_all())
      named_[price.member_name()] = positive_price(price);
    if (named_.empty()) value.fail(kExpectedOnDemand);
    return;
  }
  if (value.node().IsScalar() && value.node().Scalar() == "listed") {
    listed_ = true;
    return;
  }
  all_ = positive_price(value);
}

std::optional<market::Usd> OnDemandPrices::of(const market::Pool& pool, Time at) const {
  const std::string region(market::region_of(pool.availability_zone));
  // The type without the number of a window.
  const std::string type = pool.instance_type.substr(0, pool.instance_type.find('#'));
  for (const std::string& name : {type + "/" + pool.availability_zone, type + "/" + region, type})
    if (const auto named = named_.find(name); named != named_.end()) return named->second;
  if (!named_.empty()) {
    value_->reject("found no price of " + to_string(pool) + ", expected one of " + type +
                   ", or of it in its region");
    return std::nullopt;
  }
  if (!listed_) return all_;
  const auto types = market::instance_types();
  if (const auto* known = market::find_instance_type(*types, type))
    return on_demand_price(*known, region, at).per_hour;
  value_->reject("found the type " + type + " of " + to_string(pool) +
                 ", which `spotsim types` does not list, expected prices by type such as {" + type +
                 ": 3.06}");
  return std::nullopt;
}

}  // namespace sim::sweep
