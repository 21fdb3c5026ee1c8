// Reads and describes a MixedInstancesPolicy.
#include <charconv>

#include "fakes/autoscaling/requests.h"
#include "fakes/ec2/requests.h"

namespace fakes::autoscaling {
namespace {

template <class Strategy>
Strategy strategy(const api::Opt<std::string>& asked, const char* member,
                  std::initializer_list<Strategy> all, Strategy otherwise) {
  if (!asked) return otherwise;
  for (const Strategy one : all)
    if (model::name(one) == *asked) return one;
  std::string names;
  for (const Strategy one : all) (names += names.empty() ? "" : ", ") += model::name(one);
  throw validation_error(std::string(member) + ": found " + *asked + ", expected one of " + names);
}

int weight(const std::string& text) {
  int value = 0;
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, value);
  if (read.ec != std::errc{} || read.ptr != end || value < 1 || value > 999)
    throw validation_error("WeightedCapacity: found " + text + ", expected a number from 1 to 999");
  return value;
}

model::LaunchSource source_of(const Call& call, const aws::LaunchTemplateSpecification& named) {
  auto source = template_source(call, named);
  if (source.read().spot)
    throw validation_error(
        "Incompatible launch template: You cannot use a launch template that is set to request "
        "Spot "
        "Instances (InstanceMarketOptions) when you configure an Auto Scaling group with a mixed "
        "instances policy.");
  return source;
}

void read_distribution(const aws::InstancesDistribution& asked, model::MixedPolicy& policy) {
  using model::OnDemandStrategy;
  using model::SpotStrategy;
  policy.on_demand_base =
      whole(asked.on_demand_base_capacity, "OnDemandBaseCapacity", 0, 0, kMostCapacity);
  policy.on_demand_percent = whole(asked.on_demand_percentage_above_base_capacity,
                                   "OnDemandPercentageAboveBaseCapacity", 100, 0, 100);
  policy.on_demand =
      strategy(asked.on_demand_allocation_strategy, "OnDemandAllocationStrategy",
               {OnDemandStrategy::kPrioritized, OnDemandStrategy::kLowestPrice}, policy.on_demand);
  policy.spot =
      strategy(asked.spot_allocation_strategy, "SpotAllocationStrategy",
               {SpotStrategy::kLowestPrice, SpotStrategy::kCapacityOptimized,
                SpotStrategy::kCapacityOptimizedPrioritized, SpotStrategy::kPriceCapacityOptimized},
               policy.spot);
  if (asked.spot_instance_pools && policy.spot != SpotStrategy::kLowestPrice)
    throw validation_error(
        "SpotInstancePools option is only available with the lowest-price allocation strategy.");
  policy.spot_pools = whole(asked.spot_instance_pools, "SpotInstancePools", 2, 1, 20);
  policy.max_price = ec2::price(asked.spot_max_price, "SpotMaxPrice");
}

// AWS shows all members, including those that the request did not have.
aws::InstancesDistribution shown_distribution(const model::MixedPolicy& policy,
                                              const aws::InstancesDistribution& asked) {
  aws::InstancesDistribution shown{
      .on_demand_allocation_strategy = std::string(name(policy.on_demand)),
      .on_demand_base_capacity = policy.on_demand_base,
      .on_demand_percentage_above_base_capacity = policy.on_demand_percent,
      .spot_allocation_strategy = std::string(name(policy.spot)),
      .spot_max_price = asked.spot_max_price};
  if (policy.spot == model::SpotStrategy::kLowestPrice)
    shown.spot_instance_pools = policy.spot_pools;
  return shown;
}

// A policy is described with the IDs and names of its templates. Requests name either of them.
aws::MixedInstancesPolicy by_id(aws::MixedInstancesPolicy policy) {
  policy.launch_template->launch_template_specification->launch_template_name.reset();
  for (auto& override : policy.launch_template->overrides)
    if (override.launch_template_specification)
      override.launch_template_specification->launch_template_name.reset();
  return policy;
}

}  // namespace

model::MixedPolicy read_policy(const Call& call, const aws::MixedInstancesPolicy& asked) {
  if (!asked.launch_template || !asked.launch_template->launch_template_specification)
    throw validation_error("The MixedInstancesPolicy must have a LaunchTemplateSpecification");
  aws::MixedInstancesPolicy shown = asked;
  auto& launch = *shown.launch_template;
  model::MixedPolicy policy{.source = source_of(call, *launch.launch_template_specification)};
  launch.launch_template_specification = shown_template(policy.source);
  for (auto& override : launch.overrides) {
    model::Override read{.instance_type = override.instance_type.value_or("")};
    if (!read.instance_type.empty() && !call.cloud.market().on_demand_price(read.instance_type))
      throw validation_error("Invalid instance type '" + read.instance_type + "'");
    if (override.weighted_capacity) read.weight = weight(*override.weighted_capacity);
    if (override.launch_template_specification) {
      read.source = source_of(call, *override.launch_template_specification);
      override.launch_template_specification = shown_template(*read.source);
    }
    policy.overrides.push_back(std::move(read));
  }
  launch.overrides.give();
  const auto distribution = asked.instances_distribution.value_or(aws::InstancesDistribution{});
  as_validation([&] { read_distribution(distribution, policy); });
  shown.instances_distribution = shown_distribution(policy, distribution);
  policy.asked = shown;
  return policy;
}

aws::MixedInstancesPolicy merged_policy(const aws::MixedInstancesPolicy& shown,
                                        const aws::MixedInstancesPolicy& change) {
  const aws::MixedInstancesPolicy before = by_id(shown);
  aws::MixedInstancesPolicy merged = before;
  if (change.launch_template) {
    auto& launch = merged.launch_template.emplace(*change.launch_template);
    if (!launch.launch_template_specification && before.launch_template)
      launch.launch_template_specification = before.launch_template->launch_template_specification;
    if (!launch.overrides.given() && before.launch_template)
      launch.overrides = before.launch_template->overrides;
  }
  if (!change.instances_distribution) return merged;
  const auto& from = *change.instances_distribution;
  auto& into = merged.instances_distribution.emplace(
      before.instances_distribution.value_or(aws::InstancesDistribution{}));
  const auto take = [](auto& member, const auto& value) {
    if (value) member = value;
  };
  take(into.on_demand_allocation_strategy, from.on_demand_allocation_strategy);
  take(into.on_demand_base_capacity, from.on_demand_base_capacity);
  take(into.on_demand_percentage_above_base_capacity,
       from.on_demand_percentage_above_base_capacity);
  if (from.spot_allocation_strategy) into.spot_instance_pools.reset();
  take(into.spot_allocation_strategy, from.spot_allocation_strategy);
  take(into.spot_instance_pools, from.spot_instance_pools);
  take(into.spot_max_price, from.spot_max_price);
  return merged;
}

}  // namespace fakes::autoscaling
