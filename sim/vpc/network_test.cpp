#include "sim/vpc/network.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace sim::vpc {
namespace {

const std::vector<std::string> kZones{"us-west-2a", "us-west-2b"};

struct World : Network {
  World() : Network(Streams(7), kZones) {}
  std::string vpc() const { return vpcs.default_vpc()->id; }
  std::string group() const { return groups.named("default", vpc())->id; }
  const Interface& launch(const std::string& instance, const std::string& subnet,
                          const std::vector<std::string>& of) {
    return interfaces.attach({.instance = instance, .subnet = subnet, .groups = of, .number = 0});
  }
};

template <class F>
std::string code(F action) {
  try {
    action();
  } catch (const ApiError& error) {
    EXPECT_STRNE(error.what(), "");
    return error.code();
  }
  return "";
}

TEST(Cidr, IsReadInItsCanonicalForm) {
  EXPECT_EQ(text(parse_cidr("10.0.7.1/16").value()), "10.0.0.0/16");
  EXPECT_EQ(text(parse_cidr("1.2.3.4/0").value()), "0.0.0.0/0");
  for (const char* bad : {"", "10.0.0.0", "10.0.0.0/33", "10.0.0/8", "10.0.0.0/-1", "10.0.0.0/8x"})
    EXPECT_FALSE(parse_cidr(bad)) << bad;
  EXPECT_TRUE(parse_cidr("10.0.0.0/8")->overlaps(*parse_cidr("10.1.0.0/16")));
  EXPECT_FALSE(parse_cidr("10.1.0.0/16")->contains(*parse_cidr("10.0.0.0/8")));
}

TEST(Network, BeginsWithADefaultVpcThatDependsOnTheSeedAlone) {
  World one, two;
  EXPECT_EQ(one.vpc(), two.vpc());
  EXPECT_EQ(text(one.subnets.default_of("us-west-2b")->cidr), "172.31.16.0/20");
  EXPECT_EQ(one.route_tables.table.all().begin()->second.routes.size(), 2u);
  EXPECT_EQ(one.gateways.of(one.vpc())->vpc, one.vpc());
  EXPECT_EQ(code([&] { one.create_default_vpc(); }), "DefaultVpcAlreadyExists");
}

TEST(Network, ChecksBlocks) {
  World w;
  EXPECT_EQ(code([&] { w.create_vpc("10.0.0.0/8", "default"); }), "InvalidVpc.Range");
  EXPECT_EQ(code([&] { w.create_vpc("ten", "default"); }), "InvalidParameterValue");
  const std::string vpc = w.create_vpc("10.0.0.0/16", "default").id;
  const auto subnet = [&](const char* cidr, const char* zone = "") {
    return code([&] { w.create_subnet(vpc, cidr, zone); });
  };
  EXPECT_EQ(subnet("10.0.0.0/24"), "");
  EXPECT_EQ(subnet("10.0.0.128/25"), "InvalidSubnet.Conflict");
  EXPECT_EQ(subnet("10.1.0.0/24"), "InvalidSubnet.Range");
  EXPECT_EQ(subnet("10.0.1.0/24", "us-west-2z"), "InvalidParameterValue");
  EXPECT_EQ(code([&] { w.create_subnet("vpc-1", "10.0.0.0/24", ""); }), "InvalidVpcID.NotFound");
}

TEST(Network, RefusesToDeleteWhatIsInUse) {
  World w;
  const std::string vpc = w.create_vpc("10.0.0.0/16", "default").id;
  const std::string subnet = w.create_subnet(vpc, "10.0.0.0/24", "").id;
  const std::string gateway = w.create_internet_gateway().id;
  const std::string table = w.create_route_table(vpc).id;
  const std::string group = w.groups.create("web", "of the web", vpc).id;
  w.gateways.attach(gateway, vpc);
  const std::string association = w.route_tables.associate(table, subnet);
  w.launch("i-1", subnet, {group});
  const auto vpc_code = [&] { return code([&] { w.delete_vpc(vpc); }); };

  EXPECT_EQ(code([&] { w.delete_subnet(subnet); }), "DependencyViolation");
  EXPECT_EQ(code([&] { w.delete_security_group(group); }), "DependencyViolation");
  EXPECT_EQ(code([&] { w.route_tables.remove(table); }), "DependencyViolation");
  EXPECT_EQ(code([&] { w.gateways.remove(gateway); }), "DependencyViolation");
  const std::string address = w.addresses.allocate().id;
  w.addresses.associate(address, "eni-1", false);
  EXPECT_EQ(code([&] { w.detach_internet_gateway(gateway, vpc); }), "DependencyViolation");
  EXPECT_EQ(code([&] { w.addresses.release(address); }), "InvalidIPAddress.InUse");

  w.release("i-1");
  EXPECT_TRUE(w.addresses.table.find(address).association.empty());
  w.addresses.release(address);
  w.detach_internet_gateway(gateway, vpc);
  w.gateways.remove(gateway);
  EXPECT_EQ(vpc_code(), "DependencyViolation");
  w.delete_subnet(subnet);  // and its association with it
  w.route_tables.remove(table);
  w.delete_security_group(group);
  EXPECT_EQ(vpc_code(), "");
  EXPECT_EQ(vpc_code(), "InvalidVpcID.NotFound");
  EXPECT_FALSE(w.groups.named("default", vpc));
}

TEST(Network, GivesEachInstanceAnAddressOfItsSubnet) {
  World w;
  const std::string vpc = w.create_vpc("10.0.0.0/16", "default").id;
  const Subnet& subnet = w.create_subnet(vpc, "10.0.0.0/28", "");
  EXPECT_EQ(w.interfaces.free_addresses(subnet), 11);
  EXPECT_EQ(text(w.launch("i-1", subnet.id, {}).private_ip), "10.0.0.4");
  EXPECT_EQ(text(w.launch("i-2", subnet.id, {}).private_ip), "10.0.0.5");
  EXPECT_FALSE(w.interfaces.of("i-1")->public_ip);
  EXPECT_EQ(code([&] { w.interfaces.check_free(subnet.id, "10.0.0.5"); }),
            "InvalidIPAddress.InUse");
  for (const char* outside : {"10.0.0.3", "10.0.0.15", "10.0.1.4", "ten"})
    EXPECT_EQ(code([&] { w.interfaces.check_free(subnet.id, outside); }), "InvalidParameterValue");
  for (int i = 3; i <= 11; ++i) w.launch("i-" + std::to_string(i), subnet.id, {});
  EXPECT_EQ(code([&] { w.launch("i-12", subnet.id, {}); }), "InsufficientFreeAddressesInSubnet");
  w.release("i-7");
  EXPECT_EQ(text(w.launch("i-12", subnet.id, {}).private_ip), "10.0.0.10");
}

TEST(Network, PassesOverNamedAddressesWhenItChoosesOne) {
  World w;
  const std::string vpc = w.create_vpc("10.0.0.0/16", "default").id;
  const Subnet& subnet = w.create_subnet(vpc, "10.0.0.0/28", "");
  const Interface& primary = w.interfaces.attach(
      {.instance = "i-1", .subnet = subnet.id, .secondary_ips = {"10.0.0.4", "10.0.0.6"}});
  EXPECT_EQ(text(primary.private_ip), "10.0.0.5");
  ASSERT_EQ(primary.secondary_ips.size(), 2u);
  EXPECT_EQ(text(primary.secondary_ips[1]), "10.0.0.6");
  const Interface& further =
      w.interfaces.create({.subnet = subnet.id, .secondary_ips = {"10.0.0.7", "10.0.0.8"}});
  EXPECT_EQ(text(further.private_ip), "10.0.0.9");
  EXPECT_EQ(text(further.secondary_ips.at(0)), "10.0.0.7");
}

TEST(Network, TakesNoAddressForALaunchThatFails) {
  World w;
  const std::string vpc = w.create_vpc("10.0.0.0/16", "default").id;
  const Subnet& subnet = w.create_subnet(vpc, "10.0.0.0/28", "");
  EXPECT_EQ(code([&] {
              w.interfaces.attach({.instance = "i-1", .subnet = subnet.id, .more_addresses = 11});
            }),
            "InsufficientFreeAddressesInSubnet");
  EXPECT_EQ(code([&] {
              w.interfaces.attach({.instance = "i-1",
                                   .subnet = subnet.id,
                                   .private_ip = "10.0.0.4",
                                   .secondary_ips = {"10.0.0.5", "10.0.0.4"}});
            }),
            "InvalidIPAddress.InUse");
  EXPECT_EQ(w.interfaces.free_addresses(subnet), 11);
  EXPECT_FALSE(w.interfaces.of("i-1"));
}

TEST(Network, LetsThroughWhatRulesAllow) {
  World w;
  const std::string subnet = w.subnets.default_of("us-west-2a")->id;
  const std::string web = w.groups.create("web", "", "").id;
  const std::string ours = w.groups.create("ours", "", "").id;
  const Interface& server = w.launch("i-1", subnet, {web});
  const Interface& client = w.launch("i-2", subnet, {ours});
  const auto blocked = [&](int port) { return !w.obstacle(client, server, port).empty(); };
  EXPECT_TRUE(blocked(80));
  w.groups.authorize(
      web, {{.permission = {
                 .protocol = "tcp", .from = 80, .to = 81, .cidr = parse_cidr("172.31.0.0/16")}}});
  EXPECT_FALSE(blocked(80));
  EXPECT_FALSE(blocked(81));
  EXPECT_TRUE(blocked(82));
  w.groups.authorize(web, {{.permission = {.protocol = "-1", .group = ours}}});
  EXPECT_FALSE(blocked(82));
  EXPECT_FALSE(w.obstacle(client, server, 82).size());
  EXPECT_TRUE(w.obstacle(server, client, 82).size()) << "rules are of one direction";
  w.groups.revoke(ours, true, std::vector<Permission>{{.protocol = "-1", .cidr = Cidr{}}});
  EXPECT_TRUE(blocked(80)) << "nothing may leave";
  const Interface& one = w.launch("i-3", subnet, {w.group()});
  const Interface& two = w.launch("i-4", subnet, {w.group()});
  EXPECT_EQ(w.obstacle(one, two, 22), "") << "the default group lets its members in";
}

TEST(SecurityGroups, RefuseWhatIsThereOrIsNot) {
  World w;
  const std::string group = w.groups.create("web", "", "").id;
  EXPECT_EQ(code([&] { w.groups.create("web", "", ""); }), "InvalidGroup.Duplicate");
  EXPECT_EQ(code([&] { w.groups.create("default", "", ""); }), "InvalidParameterValue");
  EXPECT_EQ(code([&] { w.delete_security_group(w.group()); }), "CannotDelete");
  const Rule ssh{.permission = {.protocol = "tcp", .from = 22, .to = 22, .cidr = Cidr{}}};
  const std::string id = w.groups.authorize(group, {ssh})[0].id;
  EXPECT_EQ(code([&] { w.groups.authorize(group, {ssh}); }), "InvalidPermission.Duplicate");
  EXPECT_EQ(code([&] { w.groups.authorize("sg-1", {ssh}); }), "InvalidGroup.NotFound");
  EXPECT_EQ(code([&] { w.groups.revoke(group, true, std::vector<std::string>{id}); }),
            "InvalidSecurityGroupRuleId.NotFound");
  EXPECT_EQ(w.groups.revoke(group, false, std::vector<std::string>{id}).size(), 1u);
  EXPECT_EQ(code([&] { w.groups.revoke(group, false, std::vector<Permission>{ssh.permission}); }),
            "InvalidPermission.NotFound");
  std::vector<Rule> many;
  for (int port = 0; port <= 60; ++port)
    many.push_back({.permission = {.protocol = "tcp", .from = port, .to = port, .cidr = Cidr{}}});
  EXPECT_EQ(code([&] { w.groups.authorize(group, many); }), "RulesPerSecurityGroupLimitExceeded");
  const std::string other = w.groups.create("other", "", "").id;
  w.groups.authorize(other, {{.permission = {.protocol = "-1", .group = group}}});
  EXPECT_EQ(code([&] { w.delete_security_group(group); }), "DependencyViolation");
}

TEST(SecurityGroups, ThatAreUnknownAreAcceptedUntilOneIsCreated) {
  World w;
  EXPECT_EQ(w.groups.require("sg-0a1b2c3d4e5f60718", "").vpc, w.vpc());
  w.groups.create("web", "", "");
  EXPECT_EQ(code([&] { w.groups.require("sg-1", ""); }), "InvalidGroup.NotFound");
  EXPECT_EQ(code([&] { w.groups.require(w.groups.id_of("ours"), ""); }), "InvalidGroup.NotFound");
  EXPECT_EQ(code([&] { w.groups.require("sg-0a1b2c3d4e5f60718", ""); }), "");
  const std::string elsewhere = w.create_vpc("10.0.0.0/16", "default").id;
  EXPECT_EQ(code([&] { w.groups.require("sg-0a1b2c3d4e5f60718", elsewhere); }), "InvalidParameter");
}

TEST(SecurityGroups, HavePermissionsInOneForm) {
  const auto form = [](Permission permission) {
    const Permission out = normalized(std::move(permission));
    return fmt::format("{} {} {}", out.protocol, out.from, out.to);
  };
  EXPECT_EQ(form({.protocol = "6", .from = 22, .to = 22}), "tcp 22 22");
  EXPECT_EQ(form({.protocol = "all", .from = 22, .to = 22}), "-1 -1 -1");
  EXPECT_EQ(form({.protocol = "50", .from = 22, .to = 22}), "50 -1 -1");
  EXPECT_EQ(form({.protocol = "icmp", .from = 8, .to = -1}), "icmp 8 -1");
  for (const Permission& bad :
       {Permission{.protocol = "tcp"}, Permission{.protocol = "tcp", .from = 9, .to = 8},
        Permission{.protocol = "udp", .from = 0, .to = 65536},
        Permission{.protocol = "icmp", .from = 256, .to = 0}})
    EXPECT_EQ(code([&] { normalized(bad); }), "InvalidParameterValue");
  EXPECT_EQ(code([&] { normalized({.protocol = "sctp"}); }), "InvalidPermission.Malformed");
}

TEST(RouteTables, HaveAtMostOneRouteForABlock) {
  World w;
  const std::string vpc = w.create_vpc("10.0.0.0/16", "default").id;
  const std::string table = w.create_route_table(vpc).id;
  const std::string gateway = w.create_internet_gateway().id,
                    other = w.create_internet_gateway().id;
  const auto add = [&](const char* to, const std::string& target) {
    return code([&] { w.route_tables.add_route(table, to, target); });
  };
  EXPECT_EQ(add("0.0.0.0/0", gateway), "InvalidParameterValue") << "of another network";
  w.gateways.attach(gateway, vpc);
  EXPECT_EQ(code([&] { w.gateways.attach(gateway, vpc); }), "Resource.AlreadyAssociated");
  EXPECT_EQ(code([&] { w.gateways.attach(other, vpc); }), "InvalidParameterValue");
  EXPECT_EQ(add("0.0.0.0/0", gateway), "");
  const std::string subnet = w.create_subnet(vpc, "10.0.0.0/24", "").id;
  w.launch("i-1", subnet, {});
  EXPECT_EQ(add("0.0.0.0/0", "i-1"), "RouteAlreadyExists");
  w.route_tables.replace_route(table, "0.0.0.0/0", "i-1");
  EXPECT_EQ(w.route_tables.table.find(table).routes.at(1).target, "eni-1");
  EXPECT_EQ(code([&] { w.route_tables.remove_route(table, "10.0.0.0/16"); }),
            "InvalidParameterValue");
  EXPECT_EQ(code([&] { w.route_tables.remove_route(table, "1.0.0.0/8"); }),
            "InvalidRoute.NotFound");
  const RouteTable& now = w.route_tables.table.find(table);
  EXPECT_TRUE(w.route_tables.is_active(now, now.routes.at(1)));
  w.release("i-1");
  EXPECT_FALSE(w.route_tables.is_active(now, now.routes.at(1)));
}

TEST(RouteTables, AreAssociatedWithSubnets) {
  World w;
  const std::string vpc = w.create_vpc("10.0.0.0/16", "default").id;
  const std::string one = w.create_route_table(vpc).id, two = w.create_route_table(vpc).id;
  const std::string subnet = w.create_subnet(vpc, "10.0.0.0/24", "").id;
  const std::string association = w.route_tables.associate(one, subnet);
  EXPECT_EQ(code([&] { w.route_tables.associate(two, subnet); }), "Resource.AlreadyAssociated");
  const std::string moved = w.route_tables.replace_association(association, two);
  EXPECT_EQ(code([&] { w.route_tables.disassociate(association); }),
            "InvalidAssociationID.NotFound");
  EXPECT_EQ(w.route_tables.table.find(two).associations.at(moved), subnet);
  w.route_tables.disassociate(moved);
  w.route_tables.remove(two);
  const RouteTable* main = w.route_tables.table.first(
      [&](const RouteTable& t) { return t.vpc == vpc && !t.main_association.empty(); });
  const std::string old = main->id, main_association = main->main_association;
  EXPECT_EQ(code([&] { w.route_tables.disassociate(main_association); }), "InvalidParameterValue");
  w.route_tables.replace_association(main_association, one);
  w.route_tables.remove(old);
  EXPECT_EQ(code([&] { w.route_tables.remove(one); }), "DependencyViolation");
}

}  // namespace
}  // namespace sim::vpc
