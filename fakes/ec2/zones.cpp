#include <algorithm>

#include "fakes/ec2/actions.h"
#include "fakes/ec2/filters.h"
#include "fakes/ec2/network/vpc.h"
#include "fakes/ec2/requests.h"
#include "fakes/region_names.h"
#include "fakes/regions.h"

namespace fakes::ec2 {
namespace {

using sim::cloud::ApiError;
using Values = std::vector<std::string>;

struct Zone {
  std::string name;
};
constexpr FilterRow<Zone> kZoneFilters[] = {
    {"group-long-name", no_value<Zone>},
    {"group-name", [](const Zone&, Backend& w) { return Values{w.cloud.config().region}; }},
    {"message", no_value<Zone>},
    {"opt-in-status", [](const Zone&, Backend&) { return Values{"opt-in-not-required"}; }},
    {"parent-zone-id", no_value<Zone>},
    {"parent-zone-name", no_value<Zone>},
    {"region-name", [](const Zone&, Backend& w) { return Values{w.cloud.config().region}; }},
    {"state", [](const Zone&, Backend&) { return Values{"available"}; }},
    {"zone-id", [](const Zone& z, Backend&) { return Values{zone_id(z.name)}; }},
    {"zone-name", [](const Zone& z, Backend&) { return Values{z.name}; }},
    {"zone-type", [](const Zone&, Backend&) { return Values{"availability-zone"}; }},
};

struct Region {
  std::string name, endpoint;
};
// All regions of the account are enabled.
std::string opt_in_status(const std::string& region) {
  return needs_opt_in(region) ? "opted-in" : "opt-in-not-required";
}
constexpr FilterRow<Region> kRegionFilters[] = {
    {"endpoint", [](const Region& r, Backend&) { return Values{r.endpoint}; }},
    {"opt-in-status", [](const Region& r, Backend&) { return Values{opt_in_status(r.name)}; }},
    {"region-name", [](const Region& r, Backend&) { return Values{r.name}; }},
};

bool contains(const Values& list, const std::string& value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

aws::AvailabilityZone shown(const std::string& zone, const std::string& region) {
  aws::AvailabilityZone out{.group_name = region,
                            .network_border_group = region,
                            .opt_in_status = "opt-in-not-required",
                            .region_name = region,
                            .state = "available",
                            .zone_id = zone_id(zone),
                            .zone_name = zone,
                            .zone_type = "availability-zone"};
  out.messages.give();
  return out;
}

}  // namespace

aws::DescribeAvailabilityZonesResult describe_availability_zones(
    Call& call, const aws::DescribeAvailabilityZonesRequest& request) {
  const Filters<Zone> filters(request.filters, kZoneFilters);
  const auto& names = request.zone_names;
  const auto& ids = request.zone_ids;
  const auto& config = call.cloud.config();
  for (const auto& name : names) {
    if (contains(config.availability_zones, name)) continue;
    throw ApiError("InvalidParameterValue", "Invalid availability zone: [" + name + "]");
  }
  aws::DescribeAvailabilityZonesResult response;
  response.availability_zones.give();
  for (const auto& name : config.availability_zones) {
    const bool asked =
        (names.empty() || contains(names, name)) && (ids.empty() || contains(ids, zone_id(name)));
    if (asked && filters.match({name}, call.backend))
      response.availability_zones.push_back(shown(name, config.region));
  }
  return response;
}

aws::DescribeRegionsResult describe_regions(Call& call,
                                            const aws::DescribeRegionsRequest& request) {
  const Filters<Region> filters(request.filters, kRegionFilters);
  // In the profile `instant` a client may use any region, which is made at its first use.
  const Values regions = call.backend.elsewhere ? all_region_codes() : region_names(call.backend);
  for (const auto& name : request.region_names) {
    if (contains(regions, name)) continue;
    throw ApiError("InvalidParameterValue", "Invalid region: [" + name + "]");
  }
  aws::DescribeRegionsResult response;
  response.regions.give();
  for (const auto& name : regions) {
    const Region region{name, "ec2." + name + ".amazonaws.com"};
    const bool asked = request.region_names.empty() || contains(request.region_names, name);
    if (asked && filters.match(region, call.backend))
      response.regions.push_back({.endpoint = region.endpoint,
                                  .opt_in_status = opt_in_status(region.name),
                                  .region_name = region.name});
  }
  return response;
}

}  // namespace fakes::ec2
