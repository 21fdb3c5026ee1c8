#include "sim/elastigroup/markets.h"

#include <algorithm>
#include <vector>

namespace sim::elastigroup {
namespace {

// The vendor scores markets with its own data and describes the orientations in words: "cheapest"
// considers only the price, "availability" the expected life of instances. Here a market's free
// capacity stands for that life. A market qualifies if it has this share of the largest free
// capacity of all markets; the cheapest qualifying market wins. All four shares are assumptions.
double least_share(Orientation orientation) {
  switch (orientation) {
    case Orientation::kAvailability:
      return 1;
    case Orientation::kBalanced:
      return 0.8;  // as price-capacity-optimized in sim/cloud
    case Orientation::kCost:
      return 0.2;
    case Orientation::kCheapest:
      return 0;
  }
  return 0;
}

struct Candidate {
  market::Pool pool;
  market::Usd price;
  int free = 0;
};

std::vector<Candidate> candidates(const GroupSpec& spec, cloud::Cloud& cloud,
                                  const std::string& only_zone) {
  std::vector<Candidate> found;
  for (const Zone& zone : spec.zones) {
    if (!only_zone.empty() && zone.name != only_zone) continue;
    for (const std::string& type : spec.spot_types) {
      const market::Pool pool{type, zone.name};
      const auto price = cloud.market().spot_price(pool, cloud.simulation().now());
      const int free = cloud.free_spot_capacity(pool);
      if (price && free > 0 && *price <= cloud.max_price({.instance_type = type}))
        found.push_back({pool, *price, free});
    }
  }
  return found;
}

// The vendor's API reference: "If no markets are available in the Preferred AZs, Spot instances are
// launched in the non-preferred AZs". Types are preferred before zones, which is an assumption.
std::vector<Candidate> preferred(const GroupSpec& spec, std::vector<Candidate> all) {
  const auto keep = [&all](const std::set<std::string>& names, auto name) {
    std::vector<Candidate> kept;
    for (const Candidate& one : all)
      if (names.contains(one.pool.*name)) kept.push_back(one);
    if (!kept.empty()) all = std::move(kept);
  };
  keep(spec.preferred_types, &market::Pool::instance_type);
  keep(spec.preferred_zones, &market::Pool::availability_zone);
  return all;
}

}  // namespace

std::optional<market::Pool> best_market(const GroupSpec& spec, cloud::Cloud& cloud,
                                        const std::string& only_zone) {
  const std::vector<Candidate> all = preferred(spec, candidates(spec, cloud, only_zone));
  int most = 0;
  for (const Candidate& one : all) most = std::max(most, one.free);
  const double least = least_share(spec.orientation) * most;
  const Candidate* best = nullptr;
  for (const Candidate& one : all)
    if (one.free >= least && (!best || one.price < best->price)) best = &one;
  return best ? std::optional(best->pool) : std::nullopt;
}

}  // namespace sim::elastigroup
