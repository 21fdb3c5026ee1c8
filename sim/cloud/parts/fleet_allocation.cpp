// Decides what a fleet launches, where and when (EC2 user guide, "Allocation strategies for Spot
// Instances").
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "sim/cloud/parts/fleets.h"

namespace sim::cloud {
namespace {

// Weights are decimals such as 0.1. Their sums differ from a target in the last bits.
constexpr double kCapacityEpsilon = 1e-9;
// For price-capacity-optimized and capacity-optimized-prioritized. EC2 does not say which pools
// count as those "with the highest capacity availability". Here they are all pools with at least
// this share of the largest capacity.
constexpr double kAboutTheMost = 0.8;
// A large fleet is launched in batches. EC2 does not state how fast it launches a fleet. `spotsim
// serve` answers requests between two batches.
constexpr int kBatch = 1000;
constexpr Duration kBetweenBatches = std::chrono::seconds{1};

// ---- texts of the history about a launch specification (EC2 User Guide, "Spot Fleet event types")

std::string described(const LaunchSpec& spec) {
  return fmt::format("{}, {}, Linux/UNIX, {}", spec.instance_type, spec.image_id,
                     spec.availability_zone);
}

std::string described_launch(const LaunchSpec& spec) {
  return Json{{"instanceType", spec.instance_type},
              {"image", spec.image_id},
              {"productDescription", "Linux/UNIX"},
              {"availabilityZone", spec.availability_zone}}
      .dump();
}

std::string price_too_low(const LaunchSpec& spec, Usd price) {
  return fmt::format(
      "{}, Spot price in either SpotFleetRequestConfigData or SpotFleetLaunchSpecification or "
      "LaunchTemplate or LaunchTemplateOverrides is less than Spot market price ${}",
      described(spec), market::format_usd(price));
}

}  // namespace

double Fleets::owed(const Fleet& fleet) const {
  return owed(fleet, Lifecycle::kOnDemand) + owed(fleet, Lifecycle::kSpot);
}

double Fleets::owed(const Fleet& fleet, Lifecycle lifecycle) const {
  // An instant fleet launches nothing after it was submitted.
  const bool may_launch = fleet.state == FleetState::kSubmitted ||
                          (fleet.type != "instant" && (fleet.state == FleetState::kActive ||
                                                       fleet.state == FleetState::kModifying));
  if (!may_launch) return 0;
  const Work& work = work_of(fleet);
  const bool replaces = fleet.type == "maintain";
  const double on_demand = replaces ? fleet.fulfilled_on_demand : work.launched_on_demand;
  const double all = replaces ? fleet.fulfilled_capacity : work.launched;
  const double missing = lifecycle == Lifecycle::kOnDemand
                             ? fleet.on_demand_target - on_demand
                             : fleet.target_capacity + work.at_risk_capacity -
                                   fleet.on_demand_target - (all - on_demand);
  return missing > kCapacityEpsilon ? missing : 0;
}

double Fleets::held(const Fleet& fleet, const Pool& pool) const {
  const auto& all = work_of(fleet).held;
  double capacity = 0;
  if (const auto found = all.find(pool); found != all.end())
    for (const auto& [weight, count] : found->second) capacity += weight * count;
  return capacity;
}

double Fleets::unit_price(const LaunchSpec& spec) const {
  return capacity_.price(spec)->dollars() / spec.weighted_capacity;
}

std::optional<Usd> Fleets::hourly_price(const LaunchSpec& spec, Lifecycle lifecycle) const {
  return lifecycle == Lifecycle::kSpot ? capacity_.price(spec) : capacity_.on_demand_price(spec);
}

std::optional<Usd> Fleets::money_left(const Fleet& fleet, Lifecycle lifecycle) const {
  const bool spot = lifecycle == Lifecycle::kSpot;
  const auto& most = (spot ? fleet.spot_limits : fleet.on_demand_limits).max_total_price;
  if (!most) return {};
  const Work& work = work_of(fleet);
  if (!spot) return *most - work.on_demand_per_hour;
  Usd left = *most;
  for (const auto& [pool, by_weight] : work.held) {
    const auto price = capacity_.price(
        {.instance_type = pool.instance_type, .availability_zone = pool.availability_zone});
    for (const auto& [weight, count] : by_weight) left.nano -= price.value_or(Usd{}).nano * count;
  }
  return left;
}

bool Fleets::is_too_expensive(const Fleet& fleet, Lifecycle lifecycle) const {
  const auto left = money_left(fleet, lifecycle);
  return left && std::ranges::none_of(fleet.launch_specs, [&](const LaunchSpec& spec) {
           const auto price = hourly_price(spec, lifecycle);
           return !price || *price <= *left;
         });
}

Lifecycle Fleets::next_part(const Fleet& fleet) const {
  if (owed(fleet, Lifecycle::kOnDemand) <= 0) return Lifecycle::kSpot;
  const bool passes =
      owed(fleet, Lifecycle::kSpot) > 0 && is_too_expensive(fleet, Lifecycle::kOnDemand);
  return passes ? Lifecycle::kSpot : Lifecycle::kOnDemand;
}

int Fleets::launchable_slots(const LaunchSpec& spec, std::optional<Usd> left) const {
  const int slots = capacity_.usable_slots(spec);
  if (slots <= 0 || requests_.room_in_quotas(spec) == 0) return 0;
  return left && *capacity_.price(spec) > *left ? 0 : slots;
}

// "EC2 Fleet selects the cheapest Spot pools and evenly allocates your target Spot capacity across
// the number of Spot pools that you specify … on a best effort basis. If a pool runs out of Spot
// capacity …, EC2 Fleet will continue … by drawing from the next cheapest pool" (EC2 API reference,
// SpotOptionsRequest).
std::set<Pool> Fleets::cheapest_pools(const Fleet& fleet) const {
  const auto left = money_left(fleet, Lifecycle::kSpot);
  std::vector<std::pair<double, Pool>> by_price;
  for (const LaunchSpec& spec : fleet.launch_specs)
    if (launchable_slots(spec, left) > 0) by_price.emplace_back(unit_price(spec), pool_of(spec));
  std::ranges::stable_sort(by_price, {}, [](const auto& pool) { return pool.first; });
  std::set<Pool> cheapest;
  for (const auto& [price, pool] : by_price)
    if (std::ssize(cheapest) < fleet.pools) cheapest.insert(pool);
  return cheapest;
}

const LaunchSpec* Fleets::choose_spec(const Fleet& fleet) const {
  const auto left = money_left(fleet, Lifecycle::kSpot);
  // The sort key of a specification; the lowest is launched. The strategy's measure comes first,
  // then the priority, then the price per unit, then the order of the specifications.
  struct Rank {
    double measure, priority, unit_price;
    auto operator<=>(const Rank&) const = default;
  };
  const bool prioritized = fleet.strategy == AllocationStrategy::kCapacityOptimizedPrioritized;
  const bool spreads = fleet.strategy == AllocationStrategy::kLowestPrice && fleet.pools > 1;
  const std::set<Pool> cheapest = spreads ? cheapest_pools(fleet) : std::set<Pool>{};
  int most = 0;
  for (const LaunchSpec& spec : fleet.launch_specs)
    most = std::max(most, capacity_.usable_slots(spec));
  const LaunchSpec* best = nullptr;
  Rank best_rank{};
  for (const LaunchSpec& spec : fleet.launch_specs) {
    const int slots = launchable_slots(spec, left);
    if (slots == 0 || (spreads && !cheapest.contains(pool_of(spec)))) continue;
    Rank rank{0, 0, unit_price(spec)};
    if (spreads || fleet.strategy == AllocationStrategy::kDiversified)
      rank.measure = held(fleet, pool_of(spec));
    if (fleet.strategy == AllocationStrategy::kCapacityOptimized) rank.measure = -slots;
    if (fleet.strategy == AllocationStrategy::kPriceCapacityOptimized || prioritized)
      rank.measure = slots >= kAboutTheMost * most ? 0 : 1;
    if (prioritized)
      rank.priority = spec.priority.value_or(std::numeric_limits<double>::infinity());
    if (best && !(rank < best_rank)) continue;
    best = &spec;
    best_rank = rank;
  }
  return best;
}

const LaunchSpec* Fleets::choose_next(const Fleet& fleet) const {
  return choose(fleet, next_part(fleet));
}

void Fleets::allocate(Fleet& fleet) {
  if (fleet.state != FleetState::kActive) return;
  Retry& retry = work_[fleet.id].retry;
  for (int launched = 0; owed(fleet) > 0; ++launched) {
    const Lifecycle lifecycle = next_part(fleet);
    const LaunchSpec* const spec = choose(fleet, lifecycle);
    if (!spec) return wait_for_capacity(fleet);
    if (!may_launch(fleet, *spec, lifecycle)) return;
    if (launched == kBatch) return allocate_at(fleet, context_.now() + kBetweenBatches);
    launch_for(fleet, *spec, lifecycle);
  }
  retry.waiting = fleet.stuck = false;
  end_replaced(fleet);
}

void Fleets::allocate_at(Fleet& fleet, Time t) {
  Retry& retry = work_[fleet.id].retry;
  SIM_CHECK(!retry.attempt);
  retry.attempt = context_.simulation.at(t, [this, &fleet, &retry] {
    retry.attempt.reset();
    allocate(fleet);
  });
}

void Fleets::launch_for(Fleet& fleet, const LaunchSpec& spec, Lifecycle lifecycle) {
  const bool spot = lifecycle == Lifecycle::kSpot;
  const InstanceId launched =
      spot ? requests_.launch_for(fleet.id, spec) : instances_.launch_on_demand(spec, fleet.id);
  fleet.instances.push_back(launched);
  fleet.fulfilled_capacity += spec.weighted_capacity;
  Work& work = work_[fleet.id];
  work.launched += spec.weighted_capacity;
  if (spot) {
    ++work.held[pool_of(spec)][spec.weighted_capacity];
  } else {
    fleet.fulfilled_on_demand += spec.weighted_capacity;
    work.launched_on_demand += spec.weighted_capacity;
    work.on_demand_per_hour += capacity_.on_demand_price(spec);
  }
  ++work.not_terminated;
  record(fleet, "instanceChange", "launched", described_launch(spec), launched);
}

void Fleets::wait_for_capacity(Fleet& fleet) {
  Retry& retry = work_[fleet.id].retry;
  const bool already_told = retry.waiting;
  retry.waiting = fleet.stuck = true;
  retry.failed_at = context_.now();
  if (!already_told) record_obstacles(fleet);
}

// Without the permission the fleet tries again, as without capacity.
bool Fleets::may_launch(Fleet& fleet, const LaunchSpec& spec, Lifecycle lifecycle) {
  if (!may_launch_ || fleet.kind != FleetKind::kSpotFleet || may_launch_(fleet, spec, lifecycle))
    return true;
  Retry& retry = work_[fleet.id].retry;
  if (!retry.waiting)
    record(fleet, "error", "iamFleetRoleInvalid",
           "The Spot Fleet does not have the required permissions to launch an instance.");
  retry.waiting = fleet.stuck = true;
  retry.failed_at = context_.now();
  allocate_at(fleet, context_.now() + context_.config.durations.capacity_retry);
  return false;
}

void Fleets::record_obstacles(Fleet& fleet) {
  if (is_too_expensive(fleet, next_part(fleet)))
    return record(fleet, "information", "fleetProgressHalted",
                  "Another instance would exceed the maximum total price per hour.");
  bool no_capacity = false;
  for (const LaunchSpec& spec : fleet.launch_specs) {
    const auto price = capacity_.price(spec);
    if (!capacity_.has_snapshots(spec)) {
      record(fleet, "error", "spotFleetRequestConfigurationInvalid",
             described(spec) + ": A snapshot of its block devices does not exist.");
    } else if (!capacity_.has_network(spec)) {
      record(fleet, "error", "spotFleetRequestConfigurationInvalid",
             described(spec) +
                 ": Its subnet, its placement group or one of its security groups does not "
                 "exist.");
    } else if (requests_.room_in_quotas(spec) == 0) {
      // EC2 User Guide, "Spot Fleet event types".
      record(fleet, "error", "spotInstanceCountLimitExceeded",
             described(spec) +
                 ": You've reached the limit on the number of Spot Instances that you can launch.");
    } else if (price && *price > capacity_.max_price(spec)) {
      record(fleet, "information", "launchSpecUnusable", price_too_low(spec, *price));
    } else {
      no_capacity = true;
      record(
          fleet, "information", "launchSpecTemporarilyBlacklisted",
          fmt::format("Repeated errors have occurred processing the launch specification \"{} "
                      "while launching spot instance\". It will not be retried for at least {}. "
                      "Error message: There is no Spot capacity available that matches your "
                      "request. (Service: AmazonEC2; Status Code: 500; Error Code: "
                      "InsufficientInstanceCapacity)",
                      described(spec), format_duration(context_.config.durations.capacity_retry)));
    }
  }
  if (no_capacity)
    record(fleet, "error", "allLaunchSpecsTemporarilyBlacklisted",
           "Several attempts to launch instances have failed. Either the request could not be "
           "satisfied or the configuration is not valid. We will retry the request again later. "
           "For more information, see the description of the event.");
  else
    record(fleet, "information", "fleetProgressHalted",
           "All launch specifications are unusable. Please refer to individual information events "
           "for more detail.");
}

void Fleets::launch_one_more(const FleetId& id) {
  Fleet& fleet = own(id);
  if (fleet.state != FleetState::kActive) return;
  if (const LaunchSpec* const spec = choose_spec(fleet)) launch_for(fleet, *spec, Lifecycle::kSpot);
}

void Fleets::pool_changed() {
  for (auto& [id, work] : work_) {
    Retry& retry = work.retry;
    if (!retry.waiting || retry.attempt) continue;
    Fleet& fleet = own(id);
    if (owed(fleet) > 0 && choose_next(fleet)) allocate_at(fleet, capacity_.next_try(retry));
  }
}

// Handles a lowered target: ends the newest instances, as long as the others still meet the target.
void Fleets::shrink(Fleet& fleet) {
  if (fleet.keeps_excess) return;
  drop_lost(fleet);
  Work& work = work_[fleet.id];
  const std::vector<InstanceId> live = fleet.instances;
  double rest_on_demand = fleet.fulfilled_on_demand;
  double rest_spot = fleet.fulfilled_capacity - fleet.fulfilled_on_demand;
  for (auto id = live.rbegin(); id != live.rend(); ++id) {
    const Instance& instance = instances_.find(*id);
    const bool spot = instance.lifecycle == Lifecycle::kSpot;
    double& rest = spot ? rest_spot : rest_on_demand;
    const double target =
        spot ? fleet.target_capacity + work.at_risk_capacity - fleet.on_demand_target
             : fleet.on_demand_target;
    if (rest - instance.spec.weighted_capacity + kCapacityEpsilon < target) continue;
    rest -= instance.spec.weighted_capacity;
    record(fleet, "instanceChange", "termination_notified", "", *id);
    work.excess.insert(*id);
    ++fleet.excess;
    instances_.terminate_by_user(*id);
  }
  notice_losses(fleet);
}

}  // namespace sim::cloud
