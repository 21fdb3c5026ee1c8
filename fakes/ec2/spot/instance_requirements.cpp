#include "fakes/ec2/spot/instance_requirements.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <optional>
#include <string_view>

#include "fakes/ec2/actions.h"
#include "fakes/ec2/ebs_bandwidth.h"
#include "fakes/ec2/filters.h"
#include "fakes/ec2/network/interface_limits.h"
#include "fakes/ec2/page.h"
#include "fakes/ec2/requests.h"
#include "sim/market/attributes.h"
#include "sim/market/hibernation.h"

namespace fakes::ec2 {
namespace {

using sim::cloud::ApiError;
using sim::market::InstanceType;
using sim::market::Usd;
using Types = std::vector<const InstanceType*>;

// ---- one attribute

// A type whose value is unknown fits no range.
template <class Range>
bool is_in(const api::Opt<Range>& range, std::optional<double> value) {
  if (!range || (!range->min && !range->max)) return true;
  return value && (!range->min || *value >= static_cast<double>(*range->min)) &&
         (!range->max || *value <= static_cast<double>(*range->max));
}

// "included", "required" or "excluded", which is the default.
bool fits(const api::Opt<std::string>& wish, bool has) {
  const std::string found = wish.value_or("excluded");
  return found == "included" || has == (found == "required");
}

// AWS's names of accelerators: "v100", "radeon-pro-v520"; of their makers: "nvidia".
std::string hyphened(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) {
    return c == ' ' ? '-' : static_cast<char>(std::tolower(c));
  });
  return text;
}

bool lists(const api::List<std::string>& names, const std::string& name) {
  return names.empty() || std::ranges::find(names, name) != names.end();
}

bool has_accelerators(const api::List<std::string>& kinds, const api::List<std::string>& makers,
                      const api::List<std::string>& models, const InstanceType& type) {
  if (kinds.empty() && makers.empty() && models.empty()) return true;
  if (type.gpus <= 0) return false;
  const auto [maker, model] = sim::market::accelerator_of(type);
  return lists(kinds, sim::market::has_gpus(type) ? "gpu" : "inference") &&
         lists(makers, maker == "AWS" ? "amazon-web-services" : hyphened(maker)) &&
         lists(models, hyphened(model));
}

bool is_of_cpu_maker(const api::List<std::string>& makers, const InstanceType& type) {
  const std::string maker(sim::market::cpu_maker(type));
  return lists(makers, maker == "AWS" ? "amazon-web-services" : hyphened(maker));
}

std::optional<double> accelerator_mib(const InstanceType& type) {
  const auto each = static_cast<double>(sim::market::gpu_mib(type));
  if (type.gpus > 0 && each == 0) return {};
  return type.gpus * each;
}

std::optional<double> baseline_ebs_mbps(const InstanceType& type) {
  const auto& known = ebs_bandwidths();
  const auto found = known.find(type.name);
  if (found == known.end() || !found->second.baseline) return {};
  return static_cast<double>(found->second.baseline->mbps);
}

// Patterns are names with asterisks: "m5.8xlarge", "c5*.*", "r*".
bool matches_any(const api::List<std::string>& patterns, const std::string& name) {
  return std::ranges::any_of(
      patterns, [&](const std::string& pattern) { return wildcard_match(pattern, name); });
}

// ---- all attributes

template <class Asked>
void check_requirements(const Asked& asked) {
  if (!asked.vcpu_count || !asked.vcpu_count->min)
    throw missing("InstanceRequirements.VCpuCount.Min");
  if (!asked.memory_mib || !asked.memory_mib->min)
    throw missing("InstanceRequirements.MemoryMiB.Min");
  const auto exclusive = [](bool a, bool b, std::string_view names) {
    if (a && b)
      throw ApiError("InvalidParameterCombination",
                     fmt::format("You can specify only one of {}.", names));
  };
  exclusive(!asked.allowed_instance_types.empty(), !asked.excluded_instance_types.empty(),
            "AllowedInstanceTypes and ExcludedInstanceTypes");
  exclusive(asked.spot_max_price_percentage_over_lowest_price.has_value(),
            asked.max_spot_price_as_percentage_of_optimal_on_demand_price.has_value(),
            "SpotMaxPricePercentageOverLowestPrice and "
            "MaxSpotPriceAsPercentageOfOptimalOnDemandPrice");
}

template <class Asked>
bool has_attributes(const Asked& asked, const InstanceType& type) {
  const double gib = static_cast<double>(type.memory_mib) / 1024;
  const bool previous = sim::market::is_previous_generation(type);
  return is_in(asked.vcpu_count, type.vcpus) && is_in(asked.memory_mib, type.memory_mib) &&
         is_in(asked.memory_gib_per_vcpu, gib / type.vcpus) &&
         is_of_cpu_maker(asked.cpu_manufacturers, type) &&
         is_in(asked.accelerator_count, std::ceil(type.gpus)) &&
         is_in(asked.accelerator_total_memory_mib, accelerator_mib(type)) &&
         has_accelerators(asked.accelerator_types, asked.accelerator_manufacturers,
                          asked.accelerator_names, type) &&
         is_in(asked.network_interface_count, interface_limits(type.name).interfaces) &&
         is_in(asked.baseline_ebs_bandwidth_mbps, baseline_ebs_mbps(type)) &&
         fits(asked.bare_metal, sim::market::is_bare_metal(type)) &&
         fits(asked.burstable_performance, sim::market::is_burstable(type)) &&
         lists(asked.instance_generations, previous ? "previous" : "current") &&
         (!asked.require_hibernate_support.value_or(false) ||
          sim::market::hibernation_obstacle(type).empty()) &&
         (asked.allowed_instance_types.empty() ||
          matches_any(asked.allowed_instance_types, type.name)) &&
         !matches_any(asked.excluded_instance_types, type.name);
}

// ---- price protection

std::optional<Usd> lowest_spot_price(const Call& call, const InstanceType& type) {
  std::optional<Usd> lowest;
  for (const std::string& zone : call.cloud.config().availability_zones)
    if (const auto price = call.cloud.market().spot_price({type.name, zone}, call.now))
      lowest = lowest ? std::min(*lowest, *price) : *price;
  return lowest;
}

// The rank of a type as the reference of price protection: first a current C, M or R type, then
// another current one, then a previous one.
int reference_rank(const InstanceType& type) {
  if (sim::market::is_previous_generation(type)) return 2;
  const char letter = type.name.front();
  return letter == 'c' || letter == 'm' || letter == 'r' ? 0 : 1;
}

// The price of the reference: the lowest one among the types of the best rank.
template <class PriceOf>
std::optional<double> reference_price(const Types& types, PriceOf price_of) {
  std::optional<std::pair<int, double>> best;
  for (const InstanceType* type : types)
    if (const std::optional<Usd> price = price_of(*type)) {
      const std::pair found(reference_rank(*type), price->dollars());
      if (!best || found < *best) best = found;
    }
  return best ? std::optional(best->second) : std::nullopt;
}

// Removes types without a price, or with one above the limit.
template <class PriceOf>
void keep_up_to(Types& types, std::optional<double> limit, PriceOf price_of) {
  std::erase_if(types, [&](const InstanceType* type) {
    const std::optional<Usd> price = price_of(*type);
    return !price || !limit || price->dollars() > *limit;
  });
}

// The defaults are those of the EC2 API reference, InstanceRequirementsRequest: 100 and 20 percent.
template <class Asked>
void protect_from_prices(const Call& call, const Asked& asked, ChosenFor parts, Types& types) {
  const auto spot = [&](const InstanceType& type) { return lowest_spot_price(call, type); };
  const auto on_demand = [&](const InstanceType& type) {
    return call.cloud.market().on_demand_price(type.name);
  };
  const Types all = types;
  const auto times = [](std::optional<double> price, double percent) {
    return price ? std::optional(*price * percent / 100) : std::nullopt;
  };
  if (parts.on_demand) {
    const auto over = asked.on_demand_max_price_percentage_over_lowest_price.value_or(20);
    keep_up_to(types, times(reference_price(all, on_demand), 100 + static_cast<double>(over)),
               on_demand);
  }
  if (!parts.spot) return;
  const auto& of_on_demand = asked.max_spot_price_as_percentage_of_optimal_on_demand_price;
  const auto over = asked.spot_max_price_percentage_over_lowest_price.value_or(100);
  const auto limit =
      of_on_demand ? times(reference_price(all, on_demand), static_cast<double>(*of_on_demand))
                   : times(reference_price(all, spot), 100 + static_cast<double>(over));
  keep_up_to(types, limit, spot);
}

template <class Range, class Asked>
void copy_range(api::Opt<Range>& to, const api::Opt<Asked>& from) {
  if (from) to = Range{.max = from->max, .min = from->min};
}

}  // namespace

ChosenFor parts_of(double total, double on_demand) {
  const bool has_spot = on_demand < total || total == 0;
  const bool has_on_demand = on_demand > 0;
  return {.spot = has_spot, .on_demand = has_on_demand};
}

template <class Asked>
Types types_with(const Call& call, const Asked& asked) {
  check_requirements(asked);
  Types types;
  for (const auto& [name, type] : call.cloud.market().types())
    if (has_attributes(asked, type)) types.push_back(&type);
  return types;
}

template <class Asked>
Types listed_types(const Call& call, const Asked& asked) {
  if (!asked.instance_requirements) throw missing("InstanceRequirements");
  Types types = types_with(call, *asked.instance_requirements);
  std::erase_if(types, [&](const InstanceType* type) {
    return !lists(asked.architecture_types, type->architecture) ||
           !lists(asked.virtualization_types, "hvm");
  });
  return types;
}

template Types listed_types(const Call&, const aws::InstanceRequirementsWithMetadataRequest&);

template <class Asked>
std::vector<std::string> fleet_types_with(const Call& call, const FleetWords& words,
                                          const Asked& asked, ChosenFor parts) {
  Types types = types_with(call, asked);
  std::erase_if(types, [](const InstanceType* type) { return type->architecture != "x86_64"; });
  protect_from_prices(call, asked, parts, types);
  if (types.empty())
    throw ApiError(std::string(words.invalid_config),
                   "No instance type has the attributes of InstanceRequirements at a price within "
                   "the limits of price protection.");
  std::vector<std::string> names;
  for (const InstanceType* type : types) names.push_back(type->name);
  return names;
}

template std::vector<std::string> fleet_types_with(const Call&, const FleetWords&,
                                                   const aws::InstanceRequirementsRequest&,
                                                   ChosenFor);
template std::vector<std::string> fleet_types_with(const Call&, const FleetWords&,
                                                   const aws::InstanceRequirements&, ChosenFor);

aws::InstanceRequirements shown_requirements(const aws::InstanceRequirementsRequest& asked) {
  aws::InstanceRequirements out;
  copy_range(out.vcpu_count, asked.vcpu_count);
  copy_range(out.memory_mib, asked.memory_mib);
  copy_range(out.memory_gib_per_vcpu, asked.memory_gib_per_vcpu);
  copy_range(out.accelerator_count, asked.accelerator_count);
  copy_range(out.accelerator_total_memory_mib, asked.accelerator_total_memory_mib);
  copy_range(out.network_interface_count, asked.network_interface_count);
  copy_range(out.baseline_ebs_bandwidth_mbps, asked.baseline_ebs_bandwidth_mbps);
  out.cpu_manufacturers = asked.cpu_manufacturers;
  out.accelerator_manufacturers = asked.accelerator_manufacturers;
  out.accelerator_names = asked.accelerator_names;
  out.accelerator_types = asked.accelerator_types;
  out.allowed_instance_types = asked.allowed_instance_types;
  out.excluded_instance_types = asked.excluded_instance_types;
  out.instance_generations = asked.instance_generations;
  out.bare_metal = asked.bare_metal;
  out.burstable_performance = asked.burstable_performance;
  out.require_hibernate_support = asked.require_hibernate_support;
  out.spot_max_price_percentage_over_lowest_price =
      asked.spot_max_price_percentage_over_lowest_price;
  out.on_demand_max_price_percentage_over_lowest_price =
      asked.on_demand_max_price_percentage_over_lowest_price;
  out.max_spot_price_as_percentage_of_optimal_on_demand_price =
      asked.max_spot_price_as_percentage_of_optimal_on_demand_price;
  return out;
}

op::GetInstanceTypesFromInstanceRequirements::Response
get_instance_types_from_instance_requirements(
    Call& call, const op::GetInstanceTypesFromInstanceRequirements::Request& request) {
  const Page page(request, {.of = "matching-types", .low = 1, .high = 1000, .most = 1000});
  Types types = listed_types(call, request);
  op::GetInstanceTypesFromInstanceRequirements::Response response{.next_token = page.cut(types)};
  response.instance_types.give();
  for (const InstanceType* type : types)
    response.instance_types.push_back({.instance_type = type->name});
  return response;
}

}  // namespace fakes::ec2
