#include "sim/market/instance_types.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/nearest.h"
#include "base/whole_file.h"

namespace sim::market {

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
  std::set<std::string> names;
  for (const auto& [name, type] : types) names.insert(name);
  const std::string all = "an instance type that spotsim knows";
  if (const auto meant = base::nearest(unknown, names))
    return fmt::format("{} such as {} (`spotsim types` lists them)", all, *meant);
  return all + " (`spotsim types` lists them)";
}

const OnDemandPrice& on_demand_price(const InstanceType& type, std::string_view region) {
  const auto in = [&](std::string_view where) {
    return std::ranges::find(type.on_demand, where, &OnDemandPrice::region);
  };
  auto price = in(region);
  if (price == type.on_demand.end()) price = in("us-west-2");
  return price == type.on_demand.end() ? type.on_demand.front() : *price;
}

}  // namespace sim::market
