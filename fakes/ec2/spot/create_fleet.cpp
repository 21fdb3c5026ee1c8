// CreateFleet and ModifyFleet. Members of requests that this simulator does not support are refused
// by name.
#include <fmt/format.h>

#include <algorithm>
#include <any>
#include <iterator>
#include <utility>

#include "base/text/comma_list.h"
#include "fakes/ec2/actions.h"
#include "fakes/ec2/requests.h"
#include "fakes/ec2/spot/ec2_fleets.h"
#include "fakes/ec2/spot/fleet_parts.h"
#include "fakes/ec2/spot/fleet_permissions.h"
#include "fakes/ec2/spot/instance_requirements.h"

namespace fakes::ec2 {
namespace {

using Overrides = aws::FleetLaunchTemplateOverridesRequest;
using sim::cloud::AllocationStrategy;
using sim::cloud::ApiError;
using sim::cloud::Fleet;
using sim::cloud::FleetChange;
using sim::cloud::FleetKind;
using sim::cloud::LaunchSpec;

constexpr int kMostUnits = 10000;  // EC2 quota "Target capacity per EC2 Fleet"
constexpr int kMostMinimum = 1000;

constexpr std::pair<std::string_view, AllocationStrategy> kStrategies[] = {
    {"lowest-price", AllocationStrategy::kLowestPrice},
    {"diversified", AllocationStrategy::kDiversified},
    {"capacity-optimized", AllocationStrategy::kCapacityOptimized},
    {"capacity-optimized-prioritized", AllocationStrategy::kCapacityOptimizedPrioritized},
    {"price-capacity-optimized", AllocationStrategy::kPriceCapacityOptimized}};

// EC2 still takes the word for lowest-price that spot fleets have.
void replace_older_word(api::Opt<std::string>& strategy) {
  if (strategy == "lowestPrice") strategy = "lowest-price";
}

AllocationStrategy read_strategy(const api::Opt<aws::SpotOptionsRequest>& options) {
  if (!options) return AllocationStrategy::kLowestPrice;
  const std::string found = choice(options->allocation_strategy, "SpotOptions.AllocationStrategy",
                                   {"lowest-price", "diversified", "capacity-optimized",
                                    "capacity-optimized-prioritized", "price-capacity-optimized"});
  for (const auto& [text, strategy] : kStrategies)
    if (found == text) return strategy;
  return AllocationStrategy::kLowestPrice;
}

bool is_by_priority(const api::Opt<aws::OnDemandOptionsRequest>& options) {
  return options && choice(options->allocation_strategy, "OnDemandOptions.AllocationStrategy",
                           {"lowest-price", "prioritized"}) == "prioritized";
}

void read_fleet_behavior(const aws::CreateFleetRequest& request, std::vector<LaunchSpec>& specs) {
  const api::Opt<std::string> none;
  const auto& given =
      request.spot_options ? request.spot_options->instance_interruption_behavior : none;
  for (LaunchSpec& spec : specs)
    read_fleet_interruption_behavior(given, "SpotOptions.InstanceInterruptionBehavior",
                                     request.type.value_or("maintain"), spec);
}

struct Targets {
  double total = 0, on_demand = 0;
};

// The total includes the stated on-demand and spot capacity. The rest has the default type.
Targets read_targets(const aws::TargetCapacitySpecificationRequest& asked) {
  choice(asked.target_capacity_unit_type, "TargetCapacitySpecification.TargetCapacityUnitType",
         {"units"});
  check_range(asked.total_target_capacity, "TargetCapacitySpecification.TotalTargetCapacity", 0,
              kMostUnits);
  const std::int64_t total = asked.total_target_capacity.value();
  const std::int64_t on_demand = asked.on_demand_target_capacity.value_or(0);
  const std::int64_t left = total - on_demand - asked.spot_target_capacity.value_or(0);
  if (on_demand < 0 || asked.spot_target_capacity.value_or(0) < 0 || left < 0)
    throw ApiError("InvalidTargetCapacitySpecification",
                   fmt::format("TotalTargetCapacity {} must be at least the sum of "
                               "OnDemandTargetCapacity and SpotTargetCapacity, neither below 0.",
                               total));
  const bool spot = asked.default_target_capacity_type == "spot";
  return {static_cast<double>(total), static_cast<double>(on_demand + (spot ? 0 : left))};
}

// Any fleet may have a maximum price. Only an instant fleet has the other limits, and its minimum
// needs one of the two others (EC2 API reference, SpotOptionsRequest and OnDemandOptionsRequest).
// `target` is that of this part of the fleet, which no minimum can exceed.
template <class Options>
sim::cloud::FleetPartLimits read_limits(const api::Opt<Options>& options, std::string_view path,
                                        const std::string& fleet_type, double target) {
  if (!options) return {};
  const sim::cloud::FleetPartLimits limits{
      .max_total_price = price(options->max_total_price, fmt::format("{}.MaxTotalPrice", path)),
      .single_type = options->single_instance_type.value_or(false),
      .single_zone = options->single_availability_zone.value_or(false),
      .least = static_cast<double>(options->min_target_capacity.value_or(0))};
  const bool any = limits.single_type || limits.single_zone || options->min_target_capacity;
  if (any && fleet_type != "instant")
    throw ApiError("InvalidFleetConfig",
                   fmt::format("{}: SingleInstanceType, SingleAvailabilityZone and "
                               "MinTargetCapacity are supported only for fleets of type instant.",
                               path));
  check_range(options->min_target_capacity, fmt::format("{}.MinTargetCapacity", path), 0,
              std::min(kMostMinimum, static_cast<int>(target)));
  if (options->min_target_capacity && !limits.single_type && !limits.single_zone)
    throw ApiError("InvalidFleetConfig",
                   fmt::format("{}: MinTargetCapacity needs SingleInstanceType or "
                               "SingleAvailabilityZone.",
                               path));
  return limits;
}

LaunchSpec overridden(LaunchSpec spec, const Overrides& in) {
  if (in.instance_type) spec.instance_type = *in.instance_type;
  if (in.image_id) spec.image_id = *in.image_id;
  if (in.availability_zone || in.subnet_id) {
    spec.availability_zone = text(in.availability_zone);
    spec.subnet_id = text(in.subnet_id);
  }
  spec.max_price = price(in.max_price, "MaxPrice");
  spec.weighted_capacity = in.weighted_capacity.value_or(1);
  spec.priority = in.priority;
  return spec;
}

// Makes one specification for each subnet in a list ("subnet-1, subnet-2").
std::vector<LaunchSpec> split_subnets(const LaunchSpec& spec) {
  std::vector<LaunchSpec> all;
  for (const std::string& subnet : base::split_comma_list(spec.subnet_id)) {
    all.push_back(spec);
    all.back().subnet_id = subnet;
  }
  if (all.empty()) all.push_back(spec);
  return all;
}

// `images` is null for other fleets than instant ones.
std::vector<LaunchSpec> read_launches(
    const Call& call, const api::List<aws::FleetLaunchTemplateConfigRequest>& configs,
    ChosenFor parts, NamedImages* images) {
  std::vector<LaunchSpec> all;
  for (const auto& config : configs) {
    if (!config.launch_template_specification)
      throw missing("LaunchTemplateConfigs.LaunchTemplateSpecification");
    const LaunchSpec spec =
        read_fleet_template(call, kEc2FleetWords, *config.launch_template_specification);
    std::vector<LaunchSpec> specs;
    for (const auto& override : config.overrides)
      std::ranges::move(
          for_each_type(call, kEc2FleetWords, overridden(spec, override), override, parts),
          std::back_inserter(specs));
    if (specs.empty()) specs.push_back(spec);
    for (LaunchSpec& made : specs) {
      // EC2 User Guide: only an instant fleet accepts a parameter instead of an image's ID.
      if (images != nullptr) images->resolve(call.backend, made);
      complete_fleet_launch(call, kEc2FleetWords, made);
      std::ranges::copy(split_subnets(made), std::back_inserter(all));
    }
  }
  return all;
}

Fleet read_fleet(const Call& call, const aws::CreateFleetRequest& request, NamedImages& images) {
  Fleet fleet;
  fleet.kind = FleetKind::kEc2Fleet;
  fleet.type = request.type.value_or("maintain");
  fleet.strategy = read_strategy(request.spot_options);
  if (request.spot_options)
    fleet.pools = read_pools(kEc2FleetWords, request.spot_options->instance_pools_to_use_count,
                             "SpotOptions.InstancePoolsToUseCount", fleet.strategy);
  fleet.on_demand_by_priority = is_by_priority(request.on_demand_options);
  if (request.spot_options && request.spot_options->maintenance_strategies)
    fleet.rebalance = read_rebalance(
        kEc2FleetWords, request.spot_options->maintenance_strategies->capacity_rebalance,
        fleet.type);
  const Targets targets = read_targets(request.target_capacity_specification.value());
  fleet.target_capacity = targets.total;
  fleet.on_demand_target = targets.on_demand;
  fleet.keeps_excess = request.excess_capacity_termination_policy == "no-termination";
  fleet.terminate_instances_with_expiration =
      request.terminate_instances_with_expiration.value_or(false);
  fleet.replace_unhealthy = request.replace_unhealthy_instances.value_or(false);
  fleet.client_token = text(request.client_token);
  const bool instant = fleet.type == "instant";
  fleet.spot_limits = read_limits(request.spot_options, "SpotOptions", fleet.type,
                                  targets.total - targets.on_demand);
  fleet.on_demand_limits =
      read_limits(request.on_demand_options, "OnDemandOptions", fleet.type, targets.on_demand);
  fleet.launch_specs =
      read_launches(call, request.launch_template_configs,
                    parts_of(targets.total, targets.on_demand), instant ? &images : nullptr);
  read_fleet_behavior(request, fleet.launch_specs);
  const auto tags_of = [&](std::string_view type) {
    if (instant)
      return read_tag_specifications(request.tag_specifications, type,
                                     {"fleet", "instance", "volume"});
    return read_tag_specifications(request.tag_specifications, type);
  };
  fleet.tags = fleet.requested_tags = tags_of("fleet");
  if (instant)
    for (LaunchSpec& spec : fleet.launch_specs) {
      for (const auto& [key, value] : tags_of("instance")) spec.tags[key] = value;
      for (const auto& [key, value] : tags_of("volume")) spec.volume_tags[key] = value;
    }
  if (request.valid_from) fleet.valid_from = time(*request.valid_from);
  if (request.valid_until) fleet.valid_until = time(*request.valid_until);
  fleet.asked = request;
  return fleet;
}

}  // namespace

aws::CreateFleetResult create_fleet(Call& call, const aws::CreateFleetRequest& asked) {
  aws::CreateFleetRequest request = asked;
  if (request.spot_options) replace_older_word(request.spot_options->allocation_strategy);
  if (request.on_demand_options) replace_older_word(request.on_demand_options->allocation_strategy);
  NamedImages images;
  const Fleet fleet = read_fleet(call, request, images);
  check_validity(call, kEc2FleetWords, fleet);
  const FleetsOfCaller caller(call, images);
  const auto id = call.cloud.request_spot_fleet({fleet});
  expire_at_end(call, id);
  aws::CreateFleetResult response{.fleet_id = id.value};
  if (fleet.type != "instant") return response;
  const Fleet& made = call.cloud.fleet(id);
  response.errors = shown_errors<aws::CreateFleetError>(made);
  response.instances = shown_instances<aws::CreateFleetInstance>(call, made);
  return response;
}

aws::ModifyFleetResult modify_fleet(Call& call, const aws::ModifyFleetRequest& request) {
  const Fleet& fleet = find_ec2_fleet(call, required(request.fleet_id, "FleetId"));
  auto asked = std::any_cast<aws::CreateFleetRequest>(fleet.asked);
  FleetChange change{.target_capacity = fleet.target_capacity,
                     .on_demand_target = fleet.on_demand_target};
  if (request.target_capacity_specification) {
    const Targets targets = read_targets(*request.target_capacity_specification);
    change.target_capacity = targets.total;
    change.on_demand_target = targets.on_demand;
    asked.target_capacity_specification = request.target_capacity_specification;
  }
  if (request.excess_capacity_termination_policy)
    change.keeps_excess = request.excess_capacity_termination_policy == "no-termination";
  if (!request.launch_template_configs.empty()) {
    change.launch_specs =
        read_launches(call, request.launch_template_configs,
                      parts_of(change.target_capacity, change.on_demand_target), nullptr);
    read_fleet_behavior(asked, change.launch_specs);
    asked.launch_template_configs = request.launch_template_configs;
  }
  change.asked = std::move(asked);
  call.cloud.modify_fleet(fleet.id, change);
  return {.return_ = true};
}

}  // namespace fakes::ec2
