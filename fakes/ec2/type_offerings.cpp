// DescribeInstanceTypeOfferings: every known type is offered in every zone, because on-demand
// instances can be launched there.
#include "fakes/ec2/actions.h"
#include "fakes/ec2/filters.h"
#include "fakes/ec2/network/vpc.h"
#include "fakes/ec2/page.h"
#include "fakes/ec2/requests.h"

namespace fakes::ec2 {
namespace {

using Values = std::vector<std::string>;

struct Offering {
  std::string type, location;
};

constexpr FilterRow<Offering> kOfferingFilters[] = {
    {"instance-type", [](const Offering& o, Backend&) { return Values{o.type}; }},
    {"location", [](const Offering& o, Backend&) { return Values{o.location}; }},
};

Values locations(const Call& call, const std::string& kind) {
  const auto& config = call.cloud.config();
  if (kind == "region") return {config.region};
  Values out = config.availability_zones;
  if (kind == "availability-zone-id")
    for (std::string& zone : out) zone = zone_id(zone);
  return out;
}

}  // namespace

op::DescribeInstanceTypeOfferings::Response describe_instance_type_offerings(
    Call& call, const op::DescribeInstanceTypeOfferings::Request& request) {
  const std::string kind = choice(request.location_type, "LocationType",
                                  {"region", "availability-zone", "availability-zone-id"});
  const Filters<Offering> filters(request.filters, kOfferingFilters);
  const Page page(request, {.of = "offerings", .low = 5, .high = 1000, .most = 1000});
  std::vector<Offering> found;
  const Values places = locations(call, kind);
  for (const auto& [name, type] : call.cloud.market().types())
    for (const std::string& place : places)
      if (const Offering offering{name, place}; filters.match(offering, call.backend))
        found.push_back(offering);
  op::DescribeInstanceTypeOfferings::Response response{.next_token = page.cut(found)};
  response.instance_type_offerings.give();
  for (const auto& [type, location] : found)
    response.instance_type_offerings.push_back(
        {.instance_type = type, .location = location, .location_type = kind});
  return response;
}

}  // namespace fakes::ec2
