#include <fmt/format.h>

#include "fakes/ec2/actions.h"
#include "fakes/ec2/filters.h"
#include "fakes/ec2/network/vpc.h"
#include "fakes/ec2/page.h"
#include "fakes/ec2/requests.h"

namespace fakes::ec2 {
namespace {

using sim::vpc::Subnet;
using Values = std::vector<std::string>;

const char* yes_or_no(bool value) { return value ? "true" : "false"; }

std::int64_t free_addresses(const Backend& backend, const Subnet& subnet) {
  return backend.cloud.network().interfaces.free_addresses(subnet);
}

constexpr FilterRow<Subnet> kSubnetFilters[] = {
    {"availability-zone", [](const Subnet& s, Backend&) { return Values{s.zone}; }},
    {"availabilityZone", [](const Subnet& s, Backend&) { return Values{s.zone}; }},
    {"availability-zone-id", [](const Subnet& s, Backend&) { return Values{zone_id(s.zone)}; }},
    {"availabilityZoneId", [](const Subnet& s, Backend&) { return Values{zone_id(s.zone)}; }},
    {"available-ip-address-count",
     [](const Subnet& s, Backend& w) { return Values{std::to_string(free_addresses(w, s))}; }},
    {"cidr-block", [](const Subnet& s, Backend&) { return Values{text(s.cidr)}; }},
    {"cidr", [](const Subnet& s, Backend&) { return Values{text(s.cidr)}; }},
    {"cidrBlock", [](const Subnet& s, Backend&) { return Values{text(s.cidr)}; }},
    {"default-for-az",
     [](const Subnet& s, Backend&) { return Values{yes_or_no(s.default_for_zone)}; }},
    {"defaultForAz",
     [](const Subnet& s, Backend&) { return Values{yes_or_no(s.default_for_zone)}; }},
    {"state", [](const Subnet&, Backend&) { return Values{"available"}; }},
    {"subnet-id", [](const Subnet& s, Backend&) { return Values{s.id}; }},
    {"subnet-arn",
     [](const Subnet& s, Backend& w) { return Values{arn(Call(w), "subnet", s.id)}; }},
    {"vpc-id", [](const Subnet& s, Backend&) { return Values{s.vpc}; }},
    {"map-public-ip-on-launch",
     [](const Subnet& s, Backend&) { return Values{yes_or_no(s.map_public_ip)}; }},
    {"owner-id", [](const Subnet&, Backend& w) { return Values{w.cloud.config().account_id}; }},
    {"ipv6-native", [](const Subnet&, Backend&) { return Values{"false"}; }},
    {"enable-dns64", [](const Subnet&, Backend&) { return Values{"false"}; }},
    {"map-customer-owned-ip-on-launch", [](const Subnet&, Backend&) { return Values{"false"}; }},
    {"private-dns-name-options-on-launch.hostname-type",
     [](const Subnet&, Backend&) { return Values{"ip-name"}; }},
    {"private-dns-name-options-on-launch.enable-resource-name-dns-a-record",
     [](const Subnet&, Backend&) { return Values{"false"}; }},
    {"private-dns-name-options-on-launch.enable-resource-name-dns-aaaa-record",
     [](const Subnet&, Backend&) { return Values{"false"}; }},
    {"customer-owned-ipv4-pool", no_value<Subnet>},
    {"enable-lni-at-device-index", no_value<Subnet>},
    {"ipv6-cidr-block-association.association-id", no_value<Subnet>},
    {"ipv6-cidr-block-association.ipv6-cidr-block", no_value<Subnet>},
    {"ipv6-cidr-block-association.state", no_value<Subnet>},
    {"outpost-arn", no_value<Subnet>},
};

aws::Subnet shown(const Call& call, const Subnet& subnet) {
  aws::Subnet shown{.assign_ipv6_address_on_creation = false,
                    .availability_zone = subnet.zone,
                    .availability_zone_id = zone_id(subnet.zone),
                    .available_ip_address_count = free_addresses(call.backend, subnet),
                    .cidr_block = text(subnet.cidr),
                    .default_for_az = subnet.default_for_zone,
                    .map_public_ip_on_launch = subnet.map_public_ip,
                    .owner_id = call.cloud.config().account_id,
                    .state = "available",
                    .subnet_arn = arn(call, "subnet", subnet.id),
                    .subnet_id = subnet.id,
                    .tags = shown_tags(subnet.tags),
                    .vpc_id = subnet.vpc};
  shown.ipv6_cidr_block_association_set.give();
  return shown;
}

// The zone, given by name or ID. Empty if neither is given.
std::string read_zone(const Call& call, const aws::CreateSubnetRequest& request) {
  if (!request.availability_zone_id) return text(request.availability_zone);
  if (request.availability_zone)
    throw sim::cloud::ApiError("InvalidParameterCombination",
                               "Specify either AvailabilityZone or AvailabilityZoneId.");
  for (const auto& zone : call.cloud.config().availability_zones)
    if (zone_id(zone) == *request.availability_zone_id) return zone;
  throw invalid("availabilityZoneId", *request.availability_zone_id,
                "Expected a zone of this region, such as " +
                    zone_id(call.cloud.config().availability_zones.at(0)) + ".");
}

}  // namespace

aws::CreateSubnetResult create_subnet(Call& call, const aws::CreateSubnetRequest& request) {
  const auto tags = read_tag_specifications(request.tag_specifications, "subnet");
  const Subnet& made = call.cloud.network().create_subnet(required(request.vpc_id, "vpcId"),
                                                          required(request.cidr_block, "cidrBlock"),
                                                          read_zone(call, request));
  tag_new(call, made.id, tags);
  return {.subnet = shown(call, made)};
}

aws::CreateDefaultSubnetResult create_default_subnet(
    Call& call, const aws::CreateDefaultSubnetRequest& request) {
  const std::string& zone = required(request.availability_zone, "availabilityZone");
  return {.subnet = shown(call, call.cloud.network().create_default_subnet(zone))};
}

op::DeleteSubnet::Response delete_subnet(Call& call, const aws::DeleteSubnetRequest& request) {
  call.cloud.network().delete_subnet(required(request.subnet_id, "subnetId"));
  return {};
}

op::ModifySubnetAttribute::Response modify_subnet_attribute(
    Call& call, const aws::ModifySubnetAttributeRequest& request) {
  Subnet& subnet = call.cloud.network().subnets.table.find(required(request.subnet_id, "subnetId"));
  if (!request.map_public_ip_on_launch) throw missing("attribute");
  subnet.map_public_ip = request.map_public_ip_on_launch->value.value_or(false);
  return {};
}

aws::DescribeSubnetsResult describe_subnets(Call& call,
                                            const aws::DescribeSubnetsRequest& request) {
  const Filters<Subnet> filters(request.filters, kSubnetFilters, resource_tags<Subnet>);
  const Page page(request, {.of = "subnets", .low = 5, .high = 1000});
  const auto& subnets = call.cloud.network().subnets.table;
  auto found = filters.of(subnets.all(), "subnet-id", call.backend, request.subnet_ids,
                          [&](const auto& id) -> const Subnet& { return subnets.find(id); });
  aws::DescribeSubnetsResult response{.next_token = page.cut(found)};
  response.subnets.give();
  for (const Subnet* subnet : found) response.subnets.push_back(shown(call, *subnet));
  return response;
}

}  // namespace fakes::ec2
