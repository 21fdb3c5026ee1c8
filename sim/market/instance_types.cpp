#include "sim/market/instance_types.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <set>

#include "base/files/whole_file.h"
#include "base/text/nearest.h"

namespace sim::market {
namespace {

// Families that AWS sells by reservation only.
constexpr std::string_view kWithoutPrice[] = {"p5e", "p6e-gb200"};

// EC2 begins in 2006. A trace that counts from 1970 has no dates.
constexpr Time kFirstPrices{
    std::chrono::sys_days(std::chrono::year{2006} / 1 / 1).time_since_epoch()};

}  // namespace

std::shared_ptr<const InstanceTypes> instance_types() {
  static const auto types = std::make_shared<const InstanceTypes>(
      parse_instance_types(builtin_instance_types_csv(), "sim/market/instance_types.csv"));
  return types;
}

std::shared_ptr<const InstanceTypes> instance_types_with(const std::filesystem::path& file) {
  const auto text = base::read_file(file);
  if (!text) {
    throw InstanceTypeError(file.string() +
                            ": found no readable file, expected instance types as CSV");
  }
  InstanceTypes types = parse_instance_types(*text, file.string());
  types.insert(instance_types()->begin(), instance_types()->end());
  return std::make_shared<const InstanceTypes>(std::move(types));
}

const InstanceType* find_instance_type(const InstanceTypes& types, std::string_view name) {
  const auto found = types.find(name);
  return found == types.end() ? nullptr : &found->second;
}

std::string expected_instance_type(const InstanceTypes& types, std::string_view unknown) {
  const std::string_view family = unknown.substr(0, unknown.find('.'));
  if (std::ranges::find(kWithoutPrice, family) != std::end(kWithoutPrice))
    return fmt::format(
        "an instance type with a price: AWS publishes no on-demand price of {}. Name a file with "
        "its price as instance_type_file",
        unknown);
  std::set<std::string> names;
  for (const auto& [name, type] : types) names.insert(name);
  const std::string all = "an instance type that spotsim knows";
  if (const auto meant = base::nearest(unknown, names))
    return fmt::format("{} such as {} (`spotsim types` lists them)", all, *meant);
  return all + " (`spotsim types` lists them)";
}

const OnDemandPrice& on_demand_price(const InstanceType& type, std::string_view region,
                                     std::optional<Time> at) {
  if (at && *at < kFirstPrices) at = {};
  const auto counts_more = [&](const OnDemandPrice& price, const OnDemandPrice& than) {
    const auto begun = [&](const OnDemandPrice& p) { return !at || p.since <= *at; };
    if (begun(price) != begun(than)) return begun(price);
    return begun(price) ? price.since > than.since : price.since < than.since;
  };
  const auto in = [&](std::string_view where) {
    const OnDemandPrice* best = nullptr;
    for (const OnDemandPrice& price : type.on_demand)
      if (price.region == where && (!best || counts_more(price, *best))) best = &price;
    return best;
  };
  for (const std::string_view where : {region, std::string_view("us-west-2")})
    if (const OnDemandPrice* price = in(where)) return *price;
  return *in(type.on_demand.front().region);
}

}  // namespace sim::market
