// RequestSpotFleet: reads a complete SpotFleetRequestConfig. It refuses unsupported members by
// name.
#include <algorithm>
#include <iterator>

#include "fakes/ec2/actions.h"
#include "fakes/ec2/launch.h"
#include "fakes/ec2/requests.h"
#include "fakes/ec2/spot/fleet_parts.h"
#include "fakes/ec2/spot/fleet_permissions.h"
#include "fakes/ec2/spot/instance_requirements.h"

namespace fakes::ec2 {
namespace {

using Config = aws::SpotFleetRequestConfigData;
using sim::cloud::AllocationStrategy;
using sim::cloud::ApiError;
using sim::cloud::Fleet;
using sim::cloud::LaunchSpec;

ApiError invalid_config(const std::string& why) {
  return ApiError("InvalidSpotFleetRequestConfig", why);
}

constexpr AllocationStrategy kSpotFleetStrategies[] = {
    AllocationStrategy::kLowestPrice, AllocationStrategy::kDiversified,
    AllocationStrategy::kCapacityOptimized, AllocationStrategy::kCapacityOptimizedPrioritized,
    AllocationStrategy::kPriceCapacityOptimized};

AllocationStrategy read_strategy(const Config& config) {
  const std::string found =
      choice(config.allocation_strategy, "SpotFleetRequestConfig.AllocationStrategy",
             {"lowestPrice", "diversified", "capacityOptimized", "capacityOptimizedPrioritized",
              "priceCapacityOptimized"});
  for (const AllocationStrategy strategy : kSpotFleetStrategies)
    if (name(strategy) == found) return strategy;
  return AllocationStrategy::kLowestPrice;
}

std::vector<LaunchSpec> read_launch_specifications(const Call& call, const Config& config) {
  std::vector<LaunchSpec> all;
  for (const auto& in : config.launch_specifications) {
    const auto tags = read_tag_specifications(in.tag_specifications, "instance");
    const auto most = price(in.spot_price, "SpotPrice");
    for (auto& spec : read_launch(call, in)) {
      spec.tags = tags;
      spec.max_price = most;
      spec.weighted_capacity = in.weighted_capacity.value_or(1);
      all.push_back(std::move(spec));
    }
  }
  return all;
}

LaunchSpec overridden(LaunchSpec spec, const aws::LaunchTemplateOverrides& in) {
  if (in.instance_type) spec.instance_type = *in.instance_type;
  if (in.availability_zone || in.subnet_id) {
    spec.availability_zone = text(in.availability_zone);
    spec.subnet_id = text(in.subnet_id);
  }
  spec.max_price = price(in.spot_price, "SpotPrice");
  spec.weighted_capacity = in.weighted_capacity.value_or(1);
  spec.priority = in.priority;
  return spec;
}

// Makes a launch specification for each override, or one for a template without overrides.
std::vector<LaunchSpec> read_launch_template_configs(const Call& call, const Config& config) {
  const ChosenFor parts =
      parts_of(static_cast<double>(*config.target_capacity),
               static_cast<double>(config.on_demand_target_capacity.value_or(0)));
  std::vector<LaunchSpec> all;
  for (const auto& in : config.launch_template_configs) {
    if (!in.launch_template_specification)
      throw missing("SpotFleetRequestConfig.LaunchTemplateConfigs.LaunchTemplateSpecification");
    const LaunchSpec spec =
        read_fleet_template(call, kSpotFleetWords, *in.launch_template_specification);
    std::vector<LaunchSpec> specs;
    for (const auto& override : in.overrides)
      std::ranges::move(
          for_each_type(call, kSpotFleetWords, overridden(spec, override), override, parts),
          std::back_inserter(specs));
    if (specs.empty()) specs.push_back(spec);
    for (LaunchSpec& made : specs) {
      complete_fleet_launch(call, kSpotFleetWords, made);
      all.push_back(std::move(made));
    }
  }
  return all;
}

std::vector<LaunchSpec> read_launches(const Call& call, const Config& config,
                                      AllocationStrategy strategy) {
  auto specifications = read_launch_specifications(call, config);
  auto from_templates = read_launch_template_configs(call, config);
  if (!specifications.empty() && !from_templates.empty()) {
    throw invalid_config(
        "A request has either launch specifications or launch template configs, not both.");
  }
  if (!specifications.empty() && strategy == AllocationStrategy::kCapacityOptimizedPrioritized) {
    throw invalid_config("The AllocationStrategy " + std::string(name(strategy)) +
                         " is supported only with launch templates, whose overrides have "
                         "priorities, not with launch specifications.");
  }
  return specifications.empty() ? from_templates : specifications;
}

// The on-demand part of a fleet, which is part of its target capacity. Only a fleet with launch
// templates can have one (EC2 API reference, SpotFleetRequestConfigData; EC2 User Guide, "On-Demand
// in Spot Fleet").
void read_on_demand(const Config& config, Fleet& fleet) {
  fleet.on_demand_target =
      read_on_demand_target(config.on_demand_target_capacity,
                            "SpotFleetRequestConfig.OnDemandTargetCapacity", fleet.target_capacity);
  if (fleet.on_demand_target > 0 && !config.launch_specifications.empty())
    throw invalid_config(
        "OnDemandTargetCapacity is supported only with launch templates, not with launch "
        "specifications.");
  fleet.on_demand_by_priority = choice(config.on_demand_allocation_strategy,
                                       "SpotFleetRequestConfig.OnDemandAllocationStrategy",
                                       {"lowestPrice", "prioritized"}) == "prioritized";
  fleet.on_demand_limits.max_total_price =
      price(config.on_demand_max_total_price, "SpotFleetRequestConfig.OnDemandMaxTotalPrice");
}

Fleet read_config(const Call& call, const Config& config) {
  check_range(config.target_capacity, "SpotFleetRequestConfig.TargetCapacity", 0, 10000);
  Fleet fleet;
  fleet.strategy = read_strategy(config);
  fleet.pools = read_pools(kSpotFleetWords, config.instance_pools_to_use_count,
                           "SpotFleetRequestConfig.InstancePoolsToUseCount", fleet.strategy);
  fleet.type = choice(config.type, "SpotFleetRequestConfig.Type", {"maintain", "request"});
  fleet.target_capacity = static_cast<double>(*config.target_capacity);
  fleet.max_price = price(config.spot_price, "SpotFleetRequestConfig.SpotPrice");
  fleet.spot_limits.max_total_price =
      price(config.spot_max_total_price, "SpotFleetRequestConfig.SpotMaxTotalPrice");
  fleet.terminate_instances_with_expiration =
      config.terminate_instances_with_expiration.value_or(false);
  fleet.replace_unhealthy = config.replace_unhealthy_instances.value_or(false);
  fleet.keeps_excess = choice(config.excess_capacity_termination_policy,
                              "SpotFleetRequestConfig.ExcessCapacityTerminationPolicy",
                              {"default", "noTermination"}) == "noTermination";
  fleet.iam_fleet_role = required(config.iam_fleet_role, "SpotFleetRequestConfig.IamFleetRole");
  fleet.client_token = text(config.client_token);
  if (config.spot_maintenance_strategies)
    fleet.rebalance = read_rebalance(
        kSpotFleetWords, config.spot_maintenance_strategies->capacity_rebalance, fleet.type);
  fleet.launch_specs = read_launches(call, config, fleet.strategy);
  read_on_demand(config, fleet);
  for (LaunchSpec& spec : fleet.launch_specs)
    read_fleet_interruption_behavior(config.instance_interruption_behavior,
                                     "SpotFleetRequestConfig.InstanceInterruptionBehavior",
                                     fleet.type, spec);
  fleet.tags = read_tag_specifications(config.tag_specifications, "spot-fleet-request");
  fleet.requested_tags = fleet.tags;
  if (config.valid_from) fleet.valid_from = time(*config.valid_from);
  if (config.valid_until) fleet.valid_until = time(*config.valid_until);
  choice(config.target_capacity_unit_type, "SpotFleetRequestConfig.TargetCapacityUnitType",
         {"units"});
  return fleet;
}

}  // namespace

aws::RequestSpotFleetResponse request_spot_fleet(Call& call,
                                                 const aws::RequestSpotFleetRequest& request) {
  const Config& config = *request.spot_fleet_request_config;
  const Fleet fleet = read_config(call, config);
  check_validity(call, kSpotFleetWords, fleet);
  if (fleet.launch_specs.empty()) {
    throw invalid_config(
        "The request must have at least one launch specification or launch template config.");
  }
  use_fleet_role(call.backend, fleet);
  const auto id = call.cloud.request_spot_fleet({fleet});
  expire_at_end(call, id);
  return {.spot_fleet_request_id = id.value};
}

}  // namespace fakes::ec2
