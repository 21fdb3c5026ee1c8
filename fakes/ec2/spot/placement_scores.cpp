// GetSpotPlacementScores (EC2 user guide, "Spot placement score"). A score from 1 to 10 says how
// likely a request for this capacity succeeds. AWS does not publish its formula. Here the score is
// the share of the target that the free slots of the named types' pools can hold. As AWS says, the
// score is low with fewer than three types.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "fakes/ec2/actions.h"
#include "fakes/ec2/network/vpc.h"
#include "fakes/ec2/page.h"
#include "fakes/ec2/requests.h"
#include "fakes/ec2/spot/instance_requirements.h"
#include "fakes/regions.h"

namespace fakes::ec2 {
namespace {

using sim::cloud::ApiError;
using sim::cloud::Cloud;
using sim::market::InstanceType;

constexpr int kBest = 10, kFewTypes = 3;
constexpr std::size_t kShown = 10;  // "the top 10 Regions or Availability Zones"

struct Score {
  std::string region, zone_id;
  std::int64_t score = 1;
};

double units_of(const InstanceType& type, const std::string& unit) {
  if (unit == "vcpu") return type.vcpus;
  return unit == "memory-mib" ? type.memory_mib : 1;
}

// The types of the request that a region has: the named ones, or those with the attributes of
// InstanceRequirementsWithMetadata.
std::vector<const InstanceType*> types_in(const Call& region,
                                          const op::GetSpotPlacementScores::Request& request) {
  if (request.instance_requirements_with_metadata)
    return listed_types(region, *request.instance_requirements_with_metadata);
  const auto& known = region.cloud.market().types();
  std::vector<const InstanceType*> types;
  for (const std::string& name : request.instance_types) {
    const auto found = known.find(name);
    if (found == known.end())
      throw ApiError("InvalidInstanceType",
                     "The following supplied instance types do not exist: [" + name + "]");
    if (std::ranges::find(types, &found->second) == types.end()) types.push_back(&found->second);
  }
  return types;
}

double free_units(Cloud& cloud, const std::vector<const InstanceType*>& types,
                  const std::string& zone, const std::string& unit) {
  double units = 0;
  for (const InstanceType* type : types) {
    const sim::market::Pool pool{type->name, zone};
    if (cloud.market().offers(pool))
      units += units_of(*type, unit) * cloud.free_spot_capacity(pool);
  }
  return units;
}

std::int64_t score(double free, std::int64_t target, std::size_t types) {
  const double share = std::min(1.0, free / static_cast<double>(target));
  const double most = types < kFewTypes ? kBest * static_cast<double>(types) / kFewTypes : kBest;
  return std::max<std::int64_t>(1, std::llround(std::floor(share * most)));
}

// The named regions, or all.
std::vector<Backend*> named_regions(Call& call, const api::List<std::string>& names) {
  const auto known = region_names(call.backend);
  for (const std::string& name : names)
    if (std::ranges::find(known, name) == known.end())
      throw invalid("RegionName", name, fmt::format("Expected {}.", fmt::join(known, " or ")));
  std::vector<Backend*> regions;
  for (const std::string& region : known)
    if (names.empty() || std::ranges::find(names, region) != names.end())
      regions.push_back(find_region(call.backend, region));
  return regions;
}

std::vector<Score> scores(Call& call, const op::GetSpotPlacementScores::Request& request) {
  const std::int64_t target = request.target_capacity.value();
  const std::string unit = choice(request.target_capacity_unit_type, "TargetCapacityUnitType",
                                  {"units", "vcpu", "memory-mib"});
  const bool of_zones = request.single_availability_zone.value_or(false);
  std::vector<Score> out;
  for (Backend* const backend : named_regions(call, request.region_names)) {
    const Call region(*backend);
    const auto types = types_in(region, request);
    const auto& config = region.cloud.config();
    double total = 0;
    for (const std::string& zone : config.availability_zones) {
      const double free = free_units(region.cloud, types, zone, unit);
      total += free;
      if (of_zones)
        out.push_back({config.region, zone_id(zone), score(free, target, types.size())});
    }
    if (!of_zones) out.push_back({config.region, "", score(total, target, types.size())});
  }
  return out;
}

void check_types(const op::GetSpotPlacementScores::Request& request) {
  if (!request.instance_requirements_with_metadata)
    return check_given(request.instance_types, "InstanceTypes");
  if (!request.instance_types.empty())
    throw ApiError("InvalidParameterCombination",
                   "InstanceTypes and InstanceRequirementsWithMetadata exclude each other.");
}

}  // namespace

op::GetSpotPlacementScores::Response get_spot_placement_scores(
    Call& call, const op::GetSpotPlacementScores::Request& request) {
  check_types(request);
  check_range(request.target_capacity, "TargetCapacity", 1, 2'000'000'000);
  const Page page(request, {.of = "scores", .low = 10, .high = 1000});
  std::vector<Score> found = scores(call, request);
  std::ranges::stable_sort(found, std::greater(), &Score::score);
  if (found.size() > kShown) found.resize(kShown);
  op::GetSpotPlacementScores::Response response{.next_token = page.cut(found)};
  response.spot_placement_scores.give();
  for (const Score& one : found) {
    aws::SpotPlacementScore shown{.region = one.region, .score = one.score};
    if (!one.zone_id.empty()) shown.availability_zone_id = one.zone_id;
    response.spot_placement_scores.push_back(std::move(shown));
  }
  return response;
}

}  // namespace fakes::ec2
