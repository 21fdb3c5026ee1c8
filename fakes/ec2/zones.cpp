#include <algorithm>

#include "fakes/ec2/actions.h"
#include "fakes/ec2/filters.h"
#include "fakes/ec2/vpc.h"

namespace fakes::ec2 {
namespace {

using sim::cloud::ApiError;
using Values = std::vector<std::string>;

struct Zone {
  std::string name;
};
constexpr FilterRow<Zone> kZoneFilters[] = {
    {"group-name", [](const Zone&, Backend& w) { return Values{w.cloud.config().region}; }},
    {"opt-in-status", [](const Zone&, Backend&) { return Values{"opt-in-not-required"}; }},
    {"region-name", [](const Zone&, Backend& w) { return Values{w.cloud.config().region}; }},
    {"state", [](const Zone&, Backend&) { return Values{"available"}; }},
    {"zone-id", [](const Zone& z, Backend&) { return Values{zone_id(z.name)}; }},
    {"zone-name", [](const Zone& z, Backend&) { return Values{z.name}; }},
    {"zone-type", [](const Zone&, Backend&) { return Values{"availability-zone"}; }},
};

struct Region {
  std::string name, endpoint;
};
constexpr FilterRow<Region> kRegionFilters[] = {
    {"endpoint", [](const Region& r, Backend&) { return Values{r.endpoint}; }},
    {"opt-in-status", [](const Region&, Backend&) { return Values{"opt-in-not-required"}; }},
    {"region-name", [](const Region& r, Backend&) { return Values{r.name}; }},
};

bool contains(const Values& list, const std::string& value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

}  // namespace

void describe_availability_zones(Call& call) {
  const auto names = call.in.list("ZoneName");
  const auto ids = call.in.list("ZoneId");
  call.in.accept("AllAvailabilityZones");
  const Filters<Zone> filters(call.in, kZoneFilters);
  call.start();

  const auto& config = call.cloud.config();
  for (const auto& name : names) {
    if (contains(config.availability_zones, name)) continue;
    throw ApiError("InvalidParameterValue", "Invalid availability zone: [" + name + "]");
  }
  Node set = call.out.append_child("availabilityZoneInfo");
  for (const auto& name : config.availability_zones) {
    const bool asked =
        (names.empty() || contains(names, name)) && (ids.empty() || contains(ids, zone_id(name)));
    if (!asked || !filters.match({name}, call.backend)) continue;
    Node item = set.append_child("item");
    add_text(item, "optInStatus", "opt-in-not-required");
    add_text(item, "zoneName", name);
    add_text(item, "zoneState", "available");
    add_text(item, "regionName", config.region);
    item.append_child("messageSet");
    add_text(item, "zoneId", zone_id(name));
    add_text(item, "groupName", config.region);
    add_text(item, "networkBorderGroup", config.region);
    add_text(item, "zoneType", "availability-zone");
  }
}

void describe_regions(Call& call) {
  const auto names = call.in.list("RegionName");
  call.in.accept("AllRegions");
  const Filters<Region> filters(call.in, kRegionFilters);
  call.start();

  const Region region{call.cloud.config().region,
                      "ec2." + call.cloud.config().region + ".amazonaws.com"};
  for (const auto& name : names) {
    if (name == region.name) continue;
    throw ApiError("InvalidParameterValue", "Invalid region: [" + name + "]");
  }
  Node set = call.out.append_child("regionInfo");
  if (!filters.match(region, call.backend)) return;
  Node item = set.append_child("item");
  add_text(item, "regionName", region.name);
  add_text(item, "regionEndpoint", region.endpoint);
  add_text(item, "optInStatus", "opt-in-not-required");
}

}  // namespace fakes::ec2
