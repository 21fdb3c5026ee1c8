#include "sim/autoscaling/allocation.h"

#include <algorithm>
#include <compare>
#include <limits>
#include <map>
#include <utility>

namespace sim::autoscaling {
namespace {

using cloud::Lifecycle;

// For price-capacity-optimized and capacity-optimized-prioritized. AWS does not say which pools
// count as those with the highest capacity. Here they are all pools with at least this share of the
// largest capacity. Fleets use the same share.
constexpr double kAboutTheMost = 0.8;

struct Ranked {
  Candidate candidate;
  std::size_t priority;  // position of the override
  std::size_t place;
  int slots = 0;
  bool cheap = false;  // among the cheapest types of its zone
  double unit_price = std::numeric_limits<double>::infinity();
};

int in_zone(const Group& group, const std::string& zone) {
  return static_cast<int>(std::ranges::count_if(group.members, [&](const Member& member) {
    return member.zone == zone && !is_leaving(member.state);
  }));
}

int of_type(const Group& group, const cloud::LaunchSpec& spec) {
  return static_cast<int>(std::ranges::count_if(group.members, [&](const Member& member) {
    return member.zone == spec.availability_zone && member.instance_type == spec.instance_type &&
           member.lifecycle == Lifecycle::kSpot && !is_leaving(member.state);
  }));
}

bool wants_spot(const Group& group, const MixedPolicy& policy) {
  const int have = group.capacity(Lifecycle::kOnDemand);
  const int wanted = std::max(group.settings.desired, group.capacity() + 1);
  return have >= on_demand_share(policy, wanted);
}

void add_places(const Group& group, const Candidate& one, std::size_t priority,
                const std::string& only_zone, std::vector<Ranked>& all) {
  const auto& places = group.settings.places;
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (!only_zone.empty() && places[i].zone != only_zone) continue;
    Ranked ranked{.candidate = one, .priority = priority, .place = i};
    ranked.candidate.request.spec.availability_zone = places[i].zone;
    ranked.candidate.request.spec.subnet_id = places[i].subnet;
    all.push_back(std::move(ranked));
  }
}

Candidate of_override(const MixedPolicy& policy, const Override& override, bool spot) {
  Candidate made{.request = {}, .source = override.source.value_or(policy.source)};
  made.request = made.source.read();
  made.request.spot = spot;
  auto& spec = made.request.spec;
  if (!override.instance_type.empty()) spec.instance_type = override.instance_type;
  made.weight = override.weight.value_or(1);
  made.weighted = override.weight.has_value();
  spec.weighted_capacity = made.weight;
  if (spot) spec.max_price = policy.max_price;
  return made;
}

void look_at_market(std::vector<Ranked>& all, cloud::Cloud& cloud) {
  for (Ranked& one : all) {
    const auto& spec = one.candidate.request.spec;
    const auto price = one.candidate.request.spot
                           ? cloud.spot_price(spec)
                           : cloud.market().on_demand_price(spec.instance_type);
    if (price) one.unit_price = price->dollars() / one.candidate.weight;
    one.slots = one.candidate.request.spot ? cloud.usable_spot_slots(spec) : 1;
  }
}

// Marks the cheapest types of each zone, for lowest-price.
void mark_cheapest(std::vector<Ranked>& all, int pools) {
  std::map<std::string, std::vector<Ranked*>> by_zone;
  for (Ranked& one : all)
    if (one.slots > 0) by_zone[one.candidate.request.spec.availability_zone].push_back(&one);
  for (auto& [zone, these] : by_zone) {
    std::ranges::stable_sort(these, {}, &Ranked::unit_price);
    for (std::size_t i = 0; i < these.size() && i < static_cast<std::size_t>(pools); ++i)
      these[i]->cheap = true;
  }
}

// The sort key of a candidate. The lowest rank is launched first.
struct Rank {
  bool unusable;
  int in_zone;
  double measure, second, unit_price;
  std::size_t priority, place;
  auto operator<=>(const Rank&) const = default;
};

Rank rank_of_spot(const Group& group, const Ranked& one, int most) {
  const auto& policy = group.settings.mixed;
  Rank rank{one.slots <= 0,
            in_zone(group, one.candidate.request.spec.availability_zone),
            0,
            0,
            one.unit_price,
            one.priority,
            one.place};
  switch (policy ? policy->spot : SpotStrategy::kLowestPrice) {
    case SpotStrategy::kLowestPrice:
      rank.measure = one.cheap ? 0 : 1;
      if (policy && policy->spot_pools > 1)
        rank.second = of_type(group, one.candidate.request.spec);
      break;
    case SpotStrategy::kCapacityOptimized:
      rank.measure = -one.slots;
      break;
    case SpotStrategy::kCapacityOptimizedPrioritized:
      rank.measure = one.slots >= kAboutTheMost * most ? 0 : 1;
      rank.second = static_cast<double>(one.priority);
      break;
    case SpotStrategy::kPriceCapacityOptimized:
      rank.measure = one.slots >= kAboutTheMost * most ? 0 : 1;
      break;
  }
  return rank;
}

Rank rank_of_on_demand(const Group& group, const Ranked& one) {
  const auto& policy = group.settings.mixed;
  const bool cheapest_first = policy && policy->on_demand == OnDemandStrategy::kLowestPrice;
  return {false,
          in_zone(group, one.candidate.request.spec.availability_zone),
          cheapest_first ? one.unit_price : 0,
          0,
          0,
          one.priority,
          one.place};
}

}  // namespace

int on_demand_share(const MixedPolicy& policy, int capacity) {
  const int base = std::min(policy.on_demand_base, capacity);
  return base + ((capacity - base) * policy.on_demand_percent + 99) / 100;
}

std::vector<Candidate> candidates(const Group& group, cloud::Cloud& cloud,
                                  const std::string& only_zone) {
  std::vector<Ranked> all;
  if (const auto& policy = group.settings.mixed) {
    const bool spot = wants_spot(group, *policy);
    const std::vector<Override> alone{{}};
    const auto& overrides = policy->overrides.empty() ? alone : policy->overrides;
    for (std::size_t i = 0; i < overrides.size(); ++i)
      add_places(group, of_override(*policy, overrides[i], spot), i, only_zone, all);
  } else {
    const LaunchSource& source = group.settings.source.value();
    add_places(group, {.request = source.read(), .source = source}, 0, only_zone, all);
  }
  look_at_market(all, cloud);
  int most = 0;
  for (const Ranked& one : all) most = std::max(most, one.slots);
  mark_cheapest(all, group.settings.mixed ? group.settings.mixed->spot_pools : 1);
  std::vector<std::pair<Rank, const Ranked*>> order;
  for (const Ranked& one : all)
    order.emplace_back(
        one.candidate.request.spot ? rank_of_spot(group, one, most) : rank_of_on_demand(group, one),
        &one);
  std::ranges::stable_sort(order, {}, &std::pair<Rank, const Ranked*>::first);
  std::vector<Candidate> best_first;
  for (const auto& [rank, one] : order) best_first.push_back(one->candidate);
  return best_first;
}

}  // namespace sim::autoscaling
