// Names that guests resolve, with the resolvers of libc and of Python.
#include <gtest/gtest.h>

#include <algorithm>

#include "sim/guest/process/levels_for_test.h"
#include "sim/guest/time/lockstep.h"

namespace sim::guest {
namespace {

using test::at_both_levels;
using test::HostWorld;

constexpr const char* kSystemPath = "env -i PATH=/usr/bin:/bin ";

TEST(GuestNames, AreThoseOfTheRegionsEndpointsAndOfTheMetadataService) {
  at_both_levels([](Level level) {
    HostWorld w(level);
    const auto id = w.launch(
        std::string("for name in ec2.us-west-2.amazonaws.com bucket.s3.amazonaws.com "
                    "instance-data; do ") +
        kSystemPath + "getent ahostsv4 $name | head -1 | cut -d' ' -f1; done\n" + kSystemPath +
        "python3 -c 'import socket; print(socket.getaddrinfo(\"sts.amazonaws.com\", "
        "443)[0][4])'\n");
    ASSERT_TRUE(w.wait("guest.exit"));
    EXPECT_EQ(w.console(id.value),
              "169.254.169.253\n169.254.169.253\n169.254.169.254\n('169.254.169.253', 443)\n");
    EXPECT_EQ(w.count("guest.unknown-name"), 0U) << w.lines;
  });
}

// The event is logged once for each name, regardless of how often and in which domain it is
// queried.
TEST(GuestNames, OthersDoNotExistAndAreLoggedOnce) {
  at_both_levels([](Level level) {
    HostWorld w(level);
    const auto id = w.launch(
        "for i in 1 2; do for name in github.com ec2.eu-west-1.amazonaws.com nosuchhost; do\n"
        "getent hosts $name; echo $?; done; done\n");
    ASSERT_TRUE(w.wait("guest.exit"));
    EXPECT_EQ(w.console(id.value), "2\n2\n2\n2\n2\n2\n");
    EXPECT_EQ(w.count("guest.unknown-name"), 3U) << w.lines;
    EXPECT_NE(w.lines.find("\"machine\":\"" + id.value + "\",\"name\":\"github.com\"}"),
              std::string::npos)
        << w.lines;
  });
}

TEST(GuestNames, InstancesKnowOneAnotherWhileTheyRun) {
  at_both_levels([](Level level) {
    HostWorld w(level);
    const auto first = w.launch("sleep 3600\n");
    const std::string address = w.cloud.instance(first).private_ip;
    std::string name = "ip-" + address;
    std::ranges::replace(name, '.', '-');
    const std::string look = "getent ahostsv4 " + name + " | head -1 | cut -d' ' -f1\n";
    const auto second = w.launch(look + "getent hosts " + address + " | tr -s ' '\n" +
                                 "[ $(getent ahostsv4 $(hostname) | head -1 | cut -d' ' -f1) = "
                                 "$(curl -s http://instance-data/latest/meta-data/local-ipv4) ]; "
                                 "echo $?; hostname -f\n");
    ASSERT_TRUE(w.wait("guest.exit"));
    std::string own = "ip-" + w.cloud.instance(second).private_ip + ".us-west-2.compute.internal";
    std::ranges::replace(own, '.', '-');
    for (const char* domain : {"-us-west-2", "-compute", "-internal"}) own[own.rfind(domain)] = '.';
    EXPECT_EQ(w.console(second.value), address + "\n" + address + " " + name +
                                           ".us-west-2.compute.internal\n0\n" + own + "\n");
    w.cloud.terminate_instances({first});
    ASSERT_TRUE(w.wait(first, cloud::InstanceState::kTerminated));
    const auto third = w.launch("getent hosts " + name + "; echo $?\n");
    ASSERT_TRUE(w.wait("guest.exit", w.count("guest.exit") + 1));
    EXPECT_EQ(w.console(third.value), "2\n");
  });
}

// The name resolves to the private address, as in a VPC.
TEST(GuestNames, AnInstancesPublicNameLeadsToIt) {
  at_both_levels([](Level level) {
    HostWorld w(level);
    const auto id = w.launch(
        "name=$(curl -s http://169.254.169.254/latest/meta-data/public-hostname)\n"
        "getent ahostsv4 $name | head -1 | cut -d' ' -f1\n");
    ASSERT_TRUE(w.wait("guest.exit"));
    EXPECT_EQ(w.console(id.value), w.cloud.instance(id).private_ip + "\n");
  });
}

// A stub resolver's question over TCP, a length before each message.
TEST(GuestNames, AreAnsweredOverTcpToo) {
  at_both_levels([](Level level) {
    HostWorld w(level);
    const auto id = w.launch(
        "python3 - <<'END'\n"
        "import socket, struct\n"
        "name = b''.join(bytes([len(l)]) + l for l in b'ec2.us-west-2.amazonaws.com'.split(b'.'))\n"
        "message = struct.pack('>6H', 7, 256, 1, 0, 0, 0) + name + b'\\0\\0\\1\\0\\1'\n"
        "to = socket.create_connection(('169.254.169.253', 53))\n"
        "to.sendall(struct.pack('>H', len(message)) + message[:9])\n"
        "to.sendall(message[9:] + struct.pack('>H', len(message)) + message)\n"
        "answers = to.makefile('rb')\n"
        "for i in range(2):\n"
        "  answer = answers.read(struct.unpack('>H', answers.read(2))[0])\n"
        "  print(answer[:2].hex(), socket.inet_ntoa(answer[-4:]))\n"
        "END\n");
    ASSERT_TRUE(w.wait("guest.exit"));
    EXPECT_EQ(w.console(id.value), "0007 169.254.169.253\n0007 169.254.169.253\n");
  });
}

TEST(GuestNames, TakeAMillisecondAndGiveOneLogInLockstep) {
  if (!obstacle(Level::kRoot).empty() || !lockstep_permitted()) GTEST_SKIP() << "no lockstep here";
  std::string lines[2];
  for (auto& log : lines) {
    HostWorld w(Level::kRoot, true);
    const auto id = w.launch(
        "for i in 1 2 3; do date +%s.%N; getent hosts ec2.us-west-2.amazonaws.com; done\n"
        "date +%s.%N; getent hosts nosuch.example.org; date +%s.%N\n");
    ASSERT_TRUE(w.wait("guest.exit"));
    log = w.lines + w.console(id.value);
  }
  EXPECT_EQ(lines[0], lines[1]);
}

}  // namespace
}  // namespace sim::guest
