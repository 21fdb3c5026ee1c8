// RequestSpotFleet: a whole SpotFleetRequestConfig. What this cloud does not do is refused by name.
#include <algorithm>

#include "fakes/ec2/actions.h"
#include "fakes/ec2/launch.h"
#include "fakes/ec2/launch_templates.h"

namespace fakes::ec2 {
namespace {

using sim::cloud::AllocationStrategy;
using sim::cloud::ApiError;
using sim::cloud::Fleet;
using sim::cloud::LaunchSpec;

ApiError invalid_config(const std::string& why) {
  return ApiError("InvalidSpotFleetRequestConfig", why);
}

constexpr AllocationStrategy kStrategies[] = {
    AllocationStrategy::kLowestPrice, AllocationStrategy::kDiversified,
    AllocationStrategy::kCapacityOptimized, AllocationStrategy::kCapacityOptimizedPrioritized,
    AllocationStrategy::kPriceCapacityOptimized};

AllocationStrategy read_strategy(const Parameters& config) {
  const std::string found = config.choice(
      "AllocationStrategy", {"lowestPrice", "diversified", "capacityOptimized",
                             "capacityOptimizedPrioritized", "priceCapacityOptimized"});
  for (const AllocationStrategy strategy : kStrategies)
    if (name(strategy) == found) return strategy;
  return AllocationStrategy::kLowestPrice;
}

std::vector<LaunchSpec> read_launch_specifications(const Call& call, const Parameters& config) {
  std::vector<LaunchSpec> all;
  for (const auto& in : config.structures("LaunchSpecifications")) {
    in.refuse("InstanceRequirements");
    auto specs =
        read_launch(call, in, {.network_interfaces = "NetworkInterfaceSet", .groups = "GroupSet"});
    const auto tags = read_tag_specification(in, "instance", "TagSpecificationSet");
    const auto price = in.price("SpotPrice");
    const double weight = in.number("WeightedCapacity").value_or(1);
    for (auto& spec : specs) {
      spec.tags = tags;
      spec.max_price = price;
      spec.weighted_capacity = weight;
      all.push_back(std::move(spec));
    }
  }
  return all;
}

LaunchSpec overridden(LaunchSpec spec, const Parameters& in) {
  in.refuse("InstanceRequirements");
  in.refuse("AvailabilityZoneId");
  if (const auto type = in.text("InstanceType")) spec.instance_type = *type;
  const auto zone = in.text("AvailabilityZone"), subnet = in.text("SubnetId");
  if (zone || subnet) {
    spec.availability_zone = zone.value_or("");
    spec.subnet_id = subnet.value_or("");
  }
  spec.max_price = in.price("SpotPrice");
  spec.weighted_capacity = in.number("WeightedCapacity").value_or(1);
  spec.priority = in.number("Priority");
  return spec;
}

// What a template leaves open, as where it is launched by itself.
void complete(const Call& call, LaunchSpec& spec) {
  if (spec.image_id.empty()) {
    throw invalid_config("The launch template " + spec.launch_template.value +
                         " has no ImageId, which a Spot Fleet needs.");
  }
  fill_in_defaults(call, spec);
}

// A launch specification for each override, or for a template without.
std::vector<LaunchSpec> read_launch_template_configs(const Call& call, const Parameters& config) {
  std::vector<LaunchSpec> all;
  for (const auto& in : config.structures("LaunchTemplateConfigs")) {
    const Parameters specification = in.structure("LaunchTemplateSpecification");
    const auto& launch_template = find_launch_template(call, specification);
    check_version(launch_template, specification.required("Version"));
    LaunchSpec spec = launch_template.data;
    spec.launch_template = launch_template.id;
    std::vector<LaunchSpec> specs;
    for (const auto& override : in.structures("Overrides"))
      specs.push_back(overridden(spec, override));
    if (specs.empty()) specs.push_back(spec);
    for (LaunchSpec& made : specs) {
      complete(call, made);
      all.push_back(std::move(made));
    }
  }
  return all;
}

std::vector<LaunchSpec> read_launches(const Call& call, const Parameters& config,
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

// Parts of the configuration that mean what is done anyway, in the one form that does.
void check_the_rest(const Parameters& config) {
  for (const char* name :
       {"SpotMaintenanceStrategies", "LoadBalancersConfig", "SpotMaxTotalPrice"}) {
    config.refuse(name);
  }
  // EC2 fills or ignores these in a request.
  for (const char* name :
       {"ClientToken", "Context", "FulfilledCapacity", "OnDemandFulfilledCapacity",
        "OnDemandAllocationStrategy", "OnDemandMaxTotalPrice"}) {
    config.accept(name);
  }
  if (config.integer("OnDemandTargetCapacity").value_or(0) != 0) {
    config.refuse("OnDemandTargetCapacity");
  }
  if (config.integer("InstancePoolsToUseCount").value_or(1) != 1) {
    config.refuse("InstancePoolsToUseCount");
  }
  config.choice("InstanceInterruptionBehavior", {"terminate"});
  config.choice("ExcessCapacityTerminationPolicy", {"default"});
  config.choice("TargetCapacityUnitType", {"units"});
}

Fleet read_config(const Call& call, const Parameters& config) {
  Fleet fleet;
  fleet.strategy = read_strategy(config);
  fleet.type = config.choice("Type", {"maintain", "request"});
  fleet.target_capacity = static_cast<double>(config.required_integer("TargetCapacity", 0, 10000));
  fleet.max_price = config.price("SpotPrice");
  fleet.terminate_instances_with_expiration =
      config.boolean("TerminateInstancesWithExpiration").value_or(false);
  fleet.replace_unhealthy = config.boolean("ReplaceUnhealthyInstances").value_or(false);
  fleet.iam_fleet_role = config.required("IamFleetRole");
  fleet.client_token = config.text("ClientToken").value_or("");
  fleet.launch_specs = read_launches(call, config, fleet.strategy);
  fleet.tags = read_tag_specification(config, "spot-fleet-request");
  check_the_rest(config);
  return fleet;
}

// At the end of its validity a fleet launches no more, and its instances go if so configured.
void expire_at(const Call& call, sim::Time until, const sim::cloud::FleetId& id) {
  call.backend.simulation.at(until, [&cloud = call.cloud, id] {
    const Fleet& fleet = cloud.fleet(id);
    const bool live = fleet.state == sim::cloud::FleetState::kSubmitted ||
                      fleet.state == sim::cloud::FleetState::kActive ||
                      fleet.state == sim::cloud::FleetState::kModifying;
    if (live) cloud.cancel_spot_fleet(id, fleet.terminate_instances_with_expiration);
  });
}

}  // namespace

void request_spot_fleet(Call& call) {
  const Parameters config = call.in.structure("SpotFleetRequestConfig");
  const Fleet fleet = read_config(call, config);
  const auto from = config.time("ValidFrom");
  const auto until = config.time("ValidUntil");
  call.start();

  if (from && *from > call.now) {
    throw ApiError("UnsupportedOperation",
                   "A SpotFleetRequestConfig.ValidFrom in the future is not supported by this "
                   "simulated EC2.");
  }
  if (until && *until <= call.now) throw invalid_config("ValidUntil must be in the future.");
  if (fleet.launch_specs.empty()) {
    throw invalid_config(
        "The request must have at least one launch specification or launch template config.");
  }
  const auto id = call.cloud.request_spot_fleet({fleet});
  if (until) expire_at(call, *until, id);
  add_text(call.out, "spotFleetRequestId", id.value);
}

}  // namespace fakes::ec2
