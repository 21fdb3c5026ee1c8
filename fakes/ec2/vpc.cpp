#include "fakes/ec2/vpc.h"

#include <fmt/format.h>

#include <algorithm>

#include "fakes/ec2/actions.h"
#include "fakes/ec2/filters.h"
#include "fakes/ec2/page.h"
#include "fakes/ec2/requests.h"
#include "sim/cloud/id_source.h"
#include "sim/market/zones.h"

namespace fakes::ec2 {
namespace {

using sim::cloud::ApiError;
using Values = std::vector<std::string>;

std::string named_id(const Backend& backend, const char* prefix, std::string_view name) {
  return fmt::format("{}-0{:016x}", prefix, backend.streams.stream(prefix, name).next());
}

struct Subnet {
  std::string id, zone, cidr, vpc;
};
constexpr FilterRow<Subnet> kSubnetFilters[] = {
    {"availability-zone", [](const Subnet& s, Backend&) { return Values{s.zone}; }},
    {"availabilityZone", [](const Subnet& s, Backend&) { return Values{s.zone}; }},
    {"availability-zone-id", [](const Subnet& s, Backend&) { return Values{zone_id(s.zone)}; }},
    {"cidr-block", [](const Subnet& s, Backend&) { return Values{s.cidr}; }},
    {"default-for-az", [](const Subnet&, Backend&) { return Values{"true"}; }},
    {"defaultForAz", [](const Subnet&, Backend&) { return Values{"true"}; }},
    {"state", [](const Subnet&, Backend&) { return Values{"available"}; }},
    {"subnet-id", [](const Subnet& s, Backend&) { return Values{s.id}; }},
    {"vpc-id", [](const Subnet& s, Backend&) { return Values{s.vpc}; }},
    {"ipv6-native", [](const Subnet&, Backend&) { return Values{"false"}; }},
    {"map-public-ip-on-launch", [](const Subnet&, Backend&) { return Values{"true"}; }},
    {"owner-id", [](const Subnet&, Backend& w) { return Values{w.cloud.config().account_id}; }},
    {"ipv6-cidr-block-association.ipv6-cidr-block", no_value<Subnet>},
    {"outpost-arn", no_value<Subnet>},
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
    {"ipv6-cidr-block-association.state", no_value<Subnet>},
};

struct Named {
  std::string id, name;
};
constexpr FilterRow<Named> kVpcFilters[] = {
    {"cidr", [](const Named&, Backend&) { return Values{kVpcCidr}; }},
    {"is-default", [](const Named&, Backend&) { return Values{"true"}; }},
    {"isDefault", [](const Named&, Backend&) { return Values{"true"}; }},
    {"state", [](const Named&, Backend&) { return Values{"available"}; }},
    {"vpc-id", [](const Named& v, Backend&) { return Values{v.id}; }},
    {"cidr-block-association.cidr-block",
     [](const Named&, Backend&) { return Values{"172.31.0.0/16"}; }},
    {"cidr-block-association.state", [](const Named&, Backend&) { return Values{"associated"}; }},
    {"owner-id", [](const Named&, Backend& w) { return Values{w.cloud.config().account_id}; }},
    {"dhcp-options-id", no_value<Named>},
    {"ipv6-cidr-block-association.ipv6-cidr-block", no_value<Named>},
    {"ipv6-cidr-block-association.association-id", no_value<Named>},
    {"ipv6-cidr-block-association.ipv6-pool", no_value<Named>},
    {"ipv6-cidr-block-association.state", no_value<Named>},
};
struct Group {
  std::string id, vpc;
};
constexpr FilterRow<Group> kGroupFilters[] = {
    {"group-id", [](const Group& g, Backend&) { return Values{g.id}; }},
    {"group-name", [](const Group&, Backend&) { return Values{"default"}; }},
    {"vpc-id", [](const Group& g, Backend&) { return Values{g.vpc}; }},
    {"owner-id", [](const Group&, Backend& w) { return Values{w.cloud.config().account_id}; }},
    {"description", [](const Group&, Backend&) { return Values{"default VPC security group"}; }},
    // Groups have no rules here.
    {"ip-permission.cidr", no_value<Group>},
    {"ip-permission.from-port", no_value<Group>},
    {"ip-permission.group-id", no_value<Group>},
    {"ip-permission.group-name", no_value<Group>},
    {"ip-permission.ipv6-cidr", no_value<Group>},
    {"ip-permission.prefix-list-id", no_value<Group>},
    {"ip-permission.protocol", no_value<Group>},
    {"ip-permission.to-port", no_value<Group>},
    {"ip-permission.user-id", no_value<Group>},
    {"egress.ip-permission.cidr", no_value<Group>},
    {"egress.ip-permission.from-port", no_value<Group>},
    {"egress.ip-permission.group-id", no_value<Group>},
    {"egress.ip-permission.group-name", no_value<Group>},
    {"egress.ip-permission.ipv6-cidr", no_value<Group>},
    {"egress.ip-permission.prefix-list-id", no_value<Group>},
    {"egress.ip-permission.protocol", no_value<Group>},
    {"egress.ip-permission.to-port", no_value<Group>},
    {"egress.ip-permission.user-id", no_value<Group>},
};

std::vector<Subnet> subnets(const Call& call) {
  std::vector<Subnet> all;
  for (const auto& zone : call.cloud.config().availability_zones) {
    all.push_back(
        {subnet_id(call, zone), zone, subnet_cidr(call.backend, zone), vpc_id(call.backend)});
  }
  return all;
}

const sim::cloud::Tags& no_tags() {
  static const sim::cloud::Tags none;
  return none;
}
template <class T>
const sim::cloud::Tags& untagged(const T&) {
  return no_tags();
}

// Throws CODE for an asked-for ID that is not among those there are.
void check_known(const Values& asked, const Values& known, const char* code, const char* what) {
  for (const auto& id : asked) {
    if (std::find(known.begin(), known.end(), id) != known.end()) continue;
    throw ApiError(code, fmt::format("The {} '{}' does not exist", what, id));
  }
}

bool asked_for(const Values& asked, const std::string& id) {
  return asked.empty() || std::find(asked.begin(), asked.end(), id) != asked.end();
}

}  // namespace

std::string vpc_id(const Backend& backend) { return named_id(backend, "vpc", "default"); }

std::string subnet_cidr(const Backend& backend, const std::string& availability_zone) {
  const auto& zones = backend.cloud.config().availability_zones;
  return fmt::format("172.31.{}.0/20",
                     (std::ranges::find(zones, availability_zone) - zones.begin()) * 16);
}

std::string subnet_id(const Call& call, const std::string& availability_zone) {
  return sim::cloud::default_subnet_id(call.backend.streams, availability_zone);
}

std::string zone_of_subnet(const Call& call, const std::string& subnet) {
  for (const auto& zone : call.cloud.config().availability_zones) {
    if (subnet_id(call, zone) == subnet) return zone;
  }
  throw ApiError("InvalidSubnetID.NotFound", "The subnet ID '" + subnet + "' does not exist");
}

std::string security_group_id(const Call& call, const std::string& group_name) {
  const std::string id = named_id(call.backend, "sg", group_name);
  call.backend.group_names.emplace(id, group_name);
  return id;
}

api::Opt<std::string> security_group_name(const Backend& backend, const std::string& id) {
  const auto found = backend.group_names.find(id);
  if (found != backend.group_names.end()) return found->second;
  if (id == named_id(backend, "sg", "default")) return "default";
  return {};
}

std::string zone_id(const std::string& availability_zone) {
  return sim::market::zone_id(availability_zone);
}

aws::DescribeSubnetsResult describe_subnets(Call& call,
                                            const aws::DescribeSubnetsRequest& request) {
  const Filters<Subnet> filters(request.filters, kSubnetFilters, untagged<Subnet>);
  const Page page(request, {.of = "subnets", .low = 5, .high = 1000});
  auto all = subnets(call);
  Values known;
  for (const auto& subnet : all) known.push_back(subnet.id);
  check_known(request.subnet_ids, known, "InvalidSubnetID.NotFound", "subnet ID");
  std::erase_if(all, [&](const Subnet& s) {
    return !asked_for(request.subnet_ids, s.id) || !filters.match(s, call.backend);
  });
  aws::DescribeSubnetsResult response{.next_token = page.cut(all)};
  response.subnets.give();
  const auto& config = call.cloud.config();
  for (const auto& subnet : all)
    response.subnets.push_back(
        {.assign_ipv6_address_on_creation = false,
         .availability_zone = subnet.zone,
         .availability_zone_id = zone_id(subnet.zone),
         .available_ip_address_count = 4091,
         .cidr_block = subnet.cidr,
         .default_for_az = true,
         .map_public_ip_on_launch = true,
         .owner_id = config.account_id,
         .state = "available",
         .subnet_arn = fmt::format("arn:aws:ec2:{}:{}:subnet/{}", config.region, config.account_id,
                                   subnet.id),
         .subnet_id = subnet.id,
         .vpc_id = subnet.vpc});
  return response;
}

aws::DescribeVpcsResult describe_vpcs(Call& call, const aws::DescribeVpcsRequest& request) {
  const Filters<Named> filters(request.filters, kVpcFilters, untagged<Named>);
  const Page page(request, {.of = "vpcs", .low = 5, .high = 1000});
  std::vector<Named> all{{vpc_id(call.backend), "default"}};
  check_known(request.vpc_ids, {all[0].id}, "InvalidVpcID.NotFound", "vpc ID");
  std::erase_if(all, [&](const Named& v) { return !filters.match(v, call.backend); });
  aws::DescribeVpcsResult response{.next_token = page.cut(all)};
  response.vpcs.give();
  for (const auto& vpc : all)
    response.vpcs.push_back({.cidr_block = kVpcCidr,
                             .instance_tenancy = "default",
                             .is_default = true,
                             .owner_id = call.cloud.config().account_id,
                             .state = "available",
                             .vpc_id = vpc.id});
  return response;
}

aws::DescribeSecurityGroupsResult describe_security_groups(
    Call& call, const aws::DescribeSecurityGroupsRequest& request) {
  const Filters<Group> filters(request.filters, kGroupFilters, untagged<Group>);
  const Page page(request, {.of = "groups", .low = 5, .high = 1000});
  std::vector<Group> all{{security_group_id(call, "default"), vpc_id(call.backend)}};
  check_known(request.group_ids, {all[0].id}, "InvalidGroup.NotFound", "security group");
  check_known(request.group_names, {"default"}, "InvalidGroup.NotFound", "security group");
  std::erase_if(all, [&](const Group& g) { return !filters.match(g, call.backend); });
  aws::DescribeSecurityGroupsResult response{.next_token = page.cut(all)};
  response.security_groups.give();
  for (const auto& group : all)
    response.security_groups.push_back(
        {.description = "default VPC security group",
         .group_id = group.id,
         .group_name = "default",
         .ip_permissions = api::List<aws::IpPermission>().give(),
         .ip_permissions_egress = api::List<aws::IpPermission>().give(),
         .owner_id = call.cloud.config().account_id,
         .vpc_id = group.vpc});
  return response;
}

}  // namespace fakes::ec2
