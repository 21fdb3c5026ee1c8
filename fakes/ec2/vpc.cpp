#include "fakes/ec2/vpc.h"

#include <fmt/format.h>

#include <algorithm>

#include "fakes/ec2/actions.h"
#include "fakes/ec2/filters.h"
#include "sim/cloud/id_source.h"

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
};

struct Named {
  std::string id, name;
};
constexpr FilterRow<Named> kVpcFilters[] = {
    {"cidr", [](const Named&, Backend&) { return Values{"172.31.0.0/16"}; }},
    {"is-default", [](const Named&, Backend&) { return Values{"true"}; }},
    {"isDefault", [](const Named&, Backend&) { return Values{"true"}; }},
    {"state", [](const Named&, Backend&) { return Values{"available"}; }},
    {"vpc-id", [](const Named& v, Backend&) { return Values{v.id}; }},
};
struct Group {
  std::string id, vpc;
};
constexpr FilterRow<Group> kGroupFilters[] = {
    {"group-id", [](const Group& g, Backend&) { return Values{g.id}; }},
    {"group-name", [](const Group&, Backend&) { return Values{"default"}; }},
    {"vpc-id", [](const Group& g, Backend&) { return Values{g.vpc}; }},
};

std::vector<Subnet> subnets(const Call& call) {
  std::vector<Subnet> all;
  for (const auto& zone : call.cloud.config().availability_zones) {
    all.push_back({subnet_id(call, zone), zone, fmt::format("172.31.{}.0/20", all.size() * 16),
                   vpc_id(call.backend)});
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
  return named_id(call.backend, "sg", group_name);
}

std::string zone_id(const std::string& availability_zone) {
  // us-west-2b: the region's first letters, its direction's first letter, its number, the zone's
  // number
  const auto first = availability_zone.find('-');
  const auto last = availability_zone.rfind('-');
  if (first == std::string::npos || last + 2 >= availability_zone.size()) return availability_zone;
  return fmt::format("{}{}{}-az{}", availability_zone.substr(0, first),
                     availability_zone[first + 1], availability_zone[last + 1],
                     availability_zone.back() - 'a' + 1);
}

void describe_subnets(Call& call) {
  const auto ids = call.in.list("SubnetId");
  const Filters<Subnet> filters(call.in, kSubnetFilters, untagged<Subnet>);
  const Page page(call.in, 5, 1000);
  call.start();

  auto all = subnets(call);
  Values known;
  for (const auto& subnet : all) known.push_back(subnet.id);
  check_known(ids, known, "InvalidSubnetID.NotFound", "subnet ID");
  std::erase_if(all, [&](const Subnet& s) {
    return !asked_for(ids, s.id) || !filters.match(s, call.backend);
  });
  page.cut(all, call.out);
  Node set = call.out.append_child("subnetSet");
  for (const auto& subnet : all) {
    Node item = set.append_child("item");
    add_text(item, "subnetId", subnet.id);
    add_text(item, "subnetArn",
             fmt::format("arn:aws:ec2:{}:{}:subnet/{}", call.cloud.config().region,
                         call.cloud.config().account_id, subnet.id));
    add_text(item, "state", "available");
    add_text(item, "ownerId", call.cloud.config().account_id);
    add_text(item, "vpcId", subnet.vpc);
    add_text(item, "cidrBlock", subnet.cidr);
    add_integer(item, "availableIpAddressCount", 4091);
    add_text(item, "availabilityZone", subnet.zone);
    add_text(item, "availabilityZoneId", zone_id(subnet.zone));
    add_flag(item, "defaultForAz", true);
    add_flag(item, "mapPublicIpOnLaunch", true);
    add_flag(item, "assignIpv6AddressOnCreation", false);
  }
}

void describe_vpcs(Call& call) {
  const auto ids = call.in.list("VpcId");
  const Filters<Named> filters(call.in, kVpcFilters, untagged<Named>);
  const Page page(call.in, 5, 1000);
  call.start();

  std::vector<Named> all{{vpc_id(call.backend), "default"}};
  check_known(ids, {all[0].id}, "InvalidVpcID.NotFound", "vpc ID");
  std::erase_if(all, [&](const Named& v) { return !filters.match(v, call.backend); });
  page.cut(all, call.out);
  Node set = call.out.append_child("vpcSet");
  for (const auto& vpc : all) {
    Node item = set.append_child("item");
    add_text(item, "vpcId", vpc.id);
    add_text(item, "ownerId", call.cloud.config().account_id);
    add_text(item, "state", "available");
    add_text(item, "cidrBlock", "172.31.0.0/16");
    add_text(item, "instanceTenancy", "default");
    add_flag(item, "isDefault", true);
  }
}

void describe_security_groups(Call& call) {
  const auto ids = call.in.list("GroupId");
  const auto names = call.in.list("GroupName");
  const Filters<Group> filters(call.in, kGroupFilters, untagged<Group>);
  const Page page(call.in, 5, 1000);
  call.start();

  std::vector<Group> all{{security_group_id(call, "default"), vpc_id(call.backend)}};
  check_known(ids, {all[0].id}, "InvalidGroup.NotFound", "security group");
  check_known(names, {"default"}, "InvalidGroup.NotFound", "security group");
  std::erase_if(all, [&](const Group& g) { return !filters.match(g, call.backend); });
  page.cut(all, call.out);
  Node set = call.out.append_child("securityGroupInfo");
  for (const auto& group : all) {
    Node item = set.append_child("item");
    add_text(item, "ownerId", call.cloud.config().account_id);
    add_text(item, "groupId", group.id);
    add_text(item, "groupName", "default");
    add_text(item, "groupDescription", "default VPC security group");
    add_text(item, "vpcId", group.vpc);
    item.append_child("ipPermissions");
    item.append_child("ipPermissionsEgress");
  }
}

}  // namespace fakes::ec2
