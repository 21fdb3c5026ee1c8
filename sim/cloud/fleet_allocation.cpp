// What a fleet launches, where and when (EC2 user guide, "Allocation strategies for Spot
// Instances").
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "sim/cloud/state.h"
#include "sim/kernel/check.h"

namespace sim::cloud {
namespace {

// Weights are decimals such as 0.1, whose sums miss a target by a few last bits.
constexpr double kCapacityEpsilon = 1e-9;
// Of price-capacity-optimized and capacity-optimized-prioritized: pools with this share of the most
// capacity count as those "with the highest capacity availability"; EC2 does not say which do.
constexpr double kAboutTheMost = 0.8;
// A large fleet is launched in batches. EC2 does not state how fast it launches a fleet. `spotsim
// serve` answers requests between two batches.
constexpr int kBatch = 1000;
constexpr Duration kBetweenBatches = std::chrono::seconds{1};

Pool pool_of(const LaunchSpec& spec) { return {spec.instance_type, spec.availability_zone}; }

}  // namespace

double Cloud::State::owed(const Fleet& fleet) const {
  const bool may_launch = fleet.state == FleetState::kSubmitted ||
                          fleet.state == FleetState::kActive ||
                          fleet.state == FleetState::kModifying;
  if (!may_launch) return 0;
  const double have =
      fleet.type == "maintain" ? fleet.fulfilled_capacity : fleet_work.at(fleet.id).launched;
  const double missing = fleet.target_capacity - have;
  return missing > kCapacityEpsilon ? missing : 0;
}

const LaunchSpec* Cloud::State::choose_spec(const Fleet& fleet) const {
  // Lower is better: the strategy's measure first, then its priority, then the price per unit, then
  // the specs' order.
  struct Rank {
    double measure, priority, unit_price;
    auto operator<=>(const Rank&) const = default;
  };
  const auto held = [&](const Pool& pool) {
    const auto& all = fleet_work.at(fleet.id).held;
    double capacity = 0;
    if (const auto found = all.find(pool); found != all.end())
      for (const auto& [weight, count] : found->second) capacity += weight * count;
    return capacity;
  };
  const auto usable_slots = [&](const LaunchSpec& spec) {
    const auto price = market.spot_price(pool_of(spec), now());
    if (!has_snapshots(spec)) return 0;
    return price && *price <= max_price(spec) ? free_capacity(pool_of(spec)) : 0;
  };
  const bool prioritized = fleet.strategy == AllocationStrategy::kCapacityOptimizedPrioritized;
  int most = 0;
  for (const LaunchSpec& spec : fleet.launch_specs) most = std::max(most, usable_slots(spec));
  const LaunchSpec* best = nullptr;
  Rank best_rank{};
  for (const LaunchSpec& spec : fleet.launch_specs) {
    const int slots = usable_slots(spec);
    if (slots <= 0) continue;
    const double price = market.spot_price(pool_of(spec), now())->dollars();
    Rank rank{0, 0, price / spec.weighted_capacity};
    if (fleet.strategy == AllocationStrategy::kDiversified) rank.measure = held(pool_of(spec));
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

void Cloud::State::allocate(Fleet& fleet) {
  if (fleet.state != FleetState::kActive) return;
  Retry& retry = fleet_work[fleet.id].retry;
  for (int launched = 0; owed(fleet) > 0; ++launched) {
    const LaunchSpec* spec = choose_spec(fleet);
    if (!spec) return wait_for_capacity(fleet);
    if (launched == kBatch) return allocate_at(fleet, now() + kBetweenBatches);
    launch_for(fleet, *spec);
  }
  retry.waiting = false;
}

void Cloud::State::allocate_at(Fleet& fleet, Time t) {
  Retry& retry = fleet_work[fleet.id].retry;
  SIM_CHECK(!retry.attempt);
  retry.attempt = simulation.at(t, [this, &fleet, &retry] {
    retry.attempt.reset();
    allocate(fleet);
  });
}

void Cloud::State::launch_for(Fleet& fleet, const LaunchSpec& spec) {
  SpotRequest& request = create_spot_request(spec, "one-time", fleet.id);
  fulfil(request, spec.availability_zone);
  fleet.instances.push_back(request.instance);
  fleet.fulfilled_capacity += spec.weighted_capacity;
  FleetWork& work = fleet_work[fleet.id];
  work.launched += spec.weighted_capacity;
  ++work.held[pool_of(spec)][spec.weighted_capacity];
  ++work.not_terminated;
  record(fleet, "instanceChange", "launched",
         fmt::format("{}, {}, {}", spec.instance_type, spec.image_id, spec.availability_zone),
         request.instance);
}

void Cloud::State::wait_for_capacity(Fleet& fleet) {
  Retry& retry = fleet_work[fleet.id].retry;
  const bool already_told = retry.waiting;
  retry.waiting = true;
  retry.failed_at = now();
  if (already_told) return;
  bool no_capacity = false;
  for (const LaunchSpec& spec : fleet.launch_specs) {
    const Pool pool = pool_of(spec);
    const auto price = market.spot_price(pool, now());
    if (!has_snapshots(spec))
      record(fleet, "information", "launchSpecUnusable",
             to_string(pool) + ": a snapshot of its block devices is deleted");
    else if (price && *price > max_price(spec))
      record(fleet, "information", "launchSpecUnusable",
             fmt::format("{}: the maximum price {} is below the spot price {}", to_string(pool),
                         market::format_usd(max_price(spec)), market::format_usd(*price)));
    else
      no_capacity = true;
  }
  if (no_capacity)
    record(fleet, "error", "spotInstanceCountInsufficientCapacity",
           "There is no Spot capacity available that matches your request.");
}

void Cloud::launch_one_more(const FleetId& id) {
  State& s = *state_;
  Fleet& fleet = s.find(id);
  if (fleet.state != FleetState::kActive) return;
  if (const LaunchSpec* const spec = s.choose_spec(fleet)) s.launch_for(fleet, *spec);
}

// A target that was lowered: the newest instances go first, as long as the rest still meets it.
void Cloud::State::shrink(Fleet& fleet) {
  drop_lost(fleet);
  const std::vector<InstanceId> live = fleet.instances;
  for (auto id = live.rbegin(); id != live.rend(); ++id) {
    Instance& instance = find(*id);
    const double rest = fleet.fulfilled_capacity - instance.spec.weighted_capacity;
    if (rest + kCapacityEpsilon < fleet.target_capacity) continue;
    terminate_by_user(instance);
  }
}

}  // namespace sim::cloud
