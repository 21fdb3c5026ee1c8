// Instances that communicate by their private addresses, with real programs on both sides.
#include <algorithm>

#include "sim/guest/process/host_for_test.h"
#include "sim/guest/time/lockstep.h"

namespace sim::guest {
namespace {

using test::HostWorld;
using Groups = std::vector<std::string>;

// The first lines of these tests' Python programs. Times are microseconds of virtual time.
constexpr const char* kPrelude = R"(
import asyncio, errno, os, random, socket, struct, sys, time
def since(begin): return round((time.monotonic() - begin) * 1e6)
def listen(port, backlog=8):
    s = socket.socket(); s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    s.bind(('', port)); s.listen(backlog); return s
def say(*words): print(*words, flush=True)
def all_of(s, n):
    out = bytearray()
    while len(out) < n:
        part = s.recv(min(1 << 20, n - len(out)))
        if not part: break
        out += part
    return bytes(out)
)";

std::string python(const std::string& text) {
  return "#!/bin/bash\npython3 - <<'END'\n" + std::string(kPrelude) + text + "\nEND\n";
}

struct Network : HostWorld {
  Network() : HostWorld(Level::kRoot, lockstep_permitted()) {}
  explicit Network(Level level) : HostWorld(level) {}

  cloud::InstanceId rent(const std::string& user_data, const std::string& zone = "us-west-2a",
                         const Groups& groups = {}) {
    return cloud.run_instances({.image_id = "ami-1",
                                .instance_type = "p3.2xlarge",
                                .availability_zone = zone,
                                .subnet_id = subnet,
                                .user_data = user_data,
                                .security_group_ids = groups},
                               1)[0];
  }
  std::string ip(const cloud::InstanceId& id) { return cloud.instance(id).private_ip; }
  // The console of the client, which starts a minute after the server. `peer` is the server.
  std::string console_of_client(const std::string& at_server, const std::string& client,
                                const std::string& zone = "us-west-2a",
                                const Groups& of_server = {}, const Groups& of_client = {}) {
    peer = rent(python(at_server), "us-west-2a", of_server);
    const Time later = simulation.now() + 60s;
    simulation.at(later, [] {});
    host.run([&] { return simulation.now() >= later; });
    self = rent(python("peer = '" + ip(peer) + "'\n" + client), zone, of_client);
    EXPECT_TRUE(host.run([&] { return exited(self); })) << lines << console(self.value);
    return console(self.value);
  }
  bool exited(const cloud::InstanceId& id) const {
    return std::ranges::any_of(events, [&](const Event& event) {
      return event.kind == "guest.exit" && event.fields.at("machine") == id.value;
    });
  }
  const Event* last(const std::string& kind) const {
    for (auto at = events.rbegin(); at != events.rend(); ++at)
      if (at->kind == kind) return &*at;
    return nullptr;
  }

  cloud::InstanceId peer, self;
  std::string subnet;  // empty: the zone's default one
};

class PrivateNetworkTest : public testing::Test {
 protected:
  void SetUp() override {
    const std::string why = obstacle(Level::kRoot);
    if (!why.empty()) GTEST_SKIP() << "no root sandbox here: " << why;
  }
};

constexpr const char* kEcho = R"(
s = listen(7000)
while True:
    c, who = s.accept(); c.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    while part := c.recv(1 << 16): c.sendall(part)
    c.close()
)";

constexpr const char* kEchoClient = R"(
c = socket.socket(); begin = time.monotonic()
c.connect((peer, 7000)); say('connected', since(begin) // 10)
begin = time.monotonic(); c.sendall(b'ping'); say(c.recv(9), since(begin) // 10)
say(c.getpeername() == (peer, 7000))
)";

TEST_F(PrivateNetworkTest, TakesARoundTripToConnectAndAnotherToBeAnswered) {
  Network w;
  EXPECT_EQ(w.console_of_client(kEcho, kEchoClient), "connected 20\nb'ping' 20\nTrue\n") << w.lines;
  EXPECT_EQ(w.count("network.connected"), 1u);
  ASSERT_TRUE(w.wait("network.closed"));
  EXPECT_EQ(w.last("network.closed")->fields.at("sent_bytes"), 4) << w.lines;
}

TEST_F(PrivateNetworkTest, IsSlowerBetweenZones) {
  Network w;
  EXPECT_EQ(w.console_of_client(kEcho, kEchoClient, "us-west-2b"),
            "connected 100\nb'ping' 100\nTrue\n");
}

TEST_F(PrivateNetworkTest, ConnectsWithoutRoot) {
  if (const auto why = test::obstacle_as_user(Level::kUserNamespaces); !why.empty())
    GTEST_SKIP() << why;
  EXPECT_TRUE(test::passes_as_user([] {
    Network w(Level::kUserNamespaces);
    const std::string told = w.console_of_client(kEcho, R"(
c = socket.create_connection((peer, 7000)); c.sendall(b'ping'); say(c.recv(9))
for to in (peer, '172.31.99.9'):
    try: asyncio.run(asyncio.open_connection(to, 7001))
    except OSError as e: say(errno.errorcode[e.errno])
)");
    EXPECT_EQ(told, "b'ping'\nECONNREFUSED\nEHOSTUNREACH\n") << w.said;
  }));
}

TEST_F(PrivateNetworkTest, HasTheBandwidthOfOneConnection) {
  Network w;
  EXPECT_EQ(w.console_of_client(R"(
c, who = listen(7000).accept()
n = 0
while part := c.recv(1 << 20): n += len(part)
c.sendall(str(n).encode())
)",
                                R"(
c = socket.create_connection((peer, 7000)); begin = time.monotonic()
c.sendall(bytes(125_000_000)); c.shutdown(socket.SHUT_WR); say(c.recv(99), since(begin) // 10000)
)"),
            "b'125000000' 20\n");
}

TEST_F(PrivateNetworkTest, CarriesEveryByteBothWays) {
  Network w;
  const std::string noise = R"(
import threading
def both(c, seed):
    mine = random.Random(seed); data = mine.randbytes(3_000_000)
    def send():
        at = 0
        while at < len(data):
            n = mine.choice([1, 7, 100, 1460, 5000, 70000]); c.sendall(data[at:at + n]); at += n
            if mine.random() < 0.05: time.sleep(0.0003)
        c.shutdown(socket.SHUT_WR)
    t = threading.Thread(target=send); t.start()
    other = random.Random(1 - seed).randbytes(3_000_000)
    got = bytearray(); reader = random.Random(seed + 7)
    while part := c.recv(reader.choice([1, 10, 3000, 100000])):
        got += part
        if reader.random() < 0.02: time.sleep(0.0005)
    t.join(); say(bytes(got) == other)
)";
  EXPECT_EQ(w.console_of_client(noise + "c, who = listen(7000).accept(); both(c, 0)",
                                noise + "both(socket.create_connection((peer, 7000)), 1)"),
            "True\n");
  EXPECT_TRUE(w.host.run([&] { return w.exited(w.peer); }));
  EXPECT_EQ(w.console(w.peer.value), "True\n");
}

TEST_F(PrivateNetworkTest, RefusesAfterARoundTrip) {
  Network w;
  EXPECT_EQ(w.console_of_client("s = listen(7000); time.sleep(3600)", R"(
s = listen(7001)  # of one's own
begin = time.monotonic()
try: socket.socket().connect((peer, 7001))
except OSError as e: say(errno.errorcode[e.errno], since(begin) // 10)
c = socket.socket(); c.setblocking(False); say(errno.errorcode[c.connect_ex((peer, 7002))])
import select; select.select([], [c], [], 5)
say(errno.errorcode[c.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)])
)"),
            "ECONNREFUSED 20\nEINPROGRESS\nECONNREFUSED\n");
}

TEST_F(PrivateNetworkTest, GivesNoAnswerToStrangers) {
  Network w;
  EXPECT_EQ(w.console_of_client(kEcho, R"(
for to in (peer, '172.31.99.9'):
    begin = time.monotonic()
    try: socket.socket().connect((to, 7000))
    except OSError as e: say(errno.errorcode[e.errno], since(begin) // 1000000)
begin = time.monotonic()
try: socket.create_connection((peer, 7000), timeout=5)
except OSError as e: say(type(e).__name__, since(begin) // 1000000)
begin = time.monotonic()
try: asyncio.run(asyncio.open_connection(peer, 7000))
except OSError as e: say(errno.errorcode[e.errno], since(begin) // 1000000)
u = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); u.sendto(b'x', (peer, 7000)); u.settimeout(1)
try: u.recv(1)
except OSError as e: say(e)
)",
                                "us-west-2a", {"sg-1"}, {"sg-2"}),
            "ETIMEDOUT 127\nETIMEDOUT 127\nTimeoutError 5\nEHOSTUNREACH 127\ntimed out\n");
  EXPECT_EQ(w.count("network.unanswered"), 4u) << w.lines;
}

TEST_F(PrivateNetworkTest, LetsMembersOfAGroupTalk) {
  Network w;
  EXPECT_EQ(
      w.console_of_client(kEcho, kEchoClient, "us-west-2a", {"sg-1", "sg-2"}, {"sg-3", "sg-2"}),
      "connected 20\nb'ping' 20\nTrue\n");
}

// On EC2, too, a port that no rule permits gives no answer, like an address without a machine.
TEST_F(PrivateNetworkTest, AsksTheRulesOfGroups) {
  Network w;
  auto& network = w.cloud.network();
  const std::string vpc = network.create_vpc("10.0.0.0/16", "default").id;
  w.subnet = network.create_subnet(vpc, "10.0.1.0/24", "us-west-2a").id;
  const std::string web = network.groups.create("web", "", vpc).id;
  const std::string ours = network.groups.create("ours", "", vpc).id;
  network.groups.authorize(
      web, {{.permission = {.protocol = "tcp", .from = 7000, .to = 7000, .group = ours}}});
  EXPECT_EQ(w.console_of_client(kEcho, std::string(kEchoClient) + R"(
begin = time.monotonic()
try: socket.create_connection((peer, 7001))
except OSError as e: say(errno.errorcode[e.errno], since(begin) // 1000000)
)",
                                "us-west-2a", {web}, {ours}),
            "connected 20\nb'ping' 20\nTrue\nETIMEDOUT 127\n")
      << w.lines;
  EXPECT_TRUE(w.ip(w.peer).starts_with("10.0.1."));
  EXPECT_EQ(w.last("network.unanswered")->fields.at("why"),
            "no security group of the target lets it in");
}

// The SYN is sent again 1, 3, 7 … s after the first. Existing connections remain.
TEST_F(PrivateNetworkTest, FollowsAChangeOfGroupsAtOnce) {
  Network w;
  const auto change = [&](const cloud::InstanceId& of, const std::string& group, Duration after) {
    w.simulation.after(after, [&w, of, group] { w.cloud.set_security_groups(of, {group}); });
  };
  const auto server = w.rent(python(kEcho), "us-west-2a", {"sg-1"});
  const Time later = w.simulation.now() + 60s;
  w.simulation.at(later, [] {});
  w.host.run([&] { return w.simulation.now() >= later; });
  const auto client = w.rent(python("peer = '" + w.ip(server) + R"('
begin = time.monotonic()
c = socket.create_connection((peer, 7000)); say('joined', since(begin) // 1000000)
time.sleep(60); c.sendall(b'ping'); say(c.recv(9)); c.close()
begin = time.monotonic()
try: socket.create_connection((peer, 7000))
except OSError as e: say(errno.errorcode[e.errno], since(begin) // 1000000)
)"),
                             "us-west-2a", {"sg-2"});
  ASSERT_TRUE(w.host.run([&] { return w.count("network.unanswered") == 1; })) << w.lines;
  change(client, "sg-1", 5s);
  change(server, "sg-2", 30s);
  EXPECT_TRUE(w.host.run([&] { return w.exited(client); })) << w.lines;
  EXPECT_EQ(w.console(client.value), "joined 7\nb'ping'\nETIMEDOUT 127\n") << w.lines;
}

// The SYN is sent again 1, 3, 7, 15, 31 and 63 s after the first. By then the machine exists.
TEST_F(PrivateNetworkTest, AnswersWhenTheMachineIsThere) {
  Network w;
  const auto caller = [&](const std::string& connect) {
    return w.rent(python("peer = '172.31.0.6'\nbegin = time.monotonic()\n" + connect));
  };
  const auto waits = caller("socket.socket().connect((peer, 7000)); say(since(begin) // 1000000)");
  const auto polls = caller(R"(
async def go():
    r, w = await asyncio.open_connection(peer, 7000)
    w.write(b'hello'); say(await r.read(5), since(begin) // 1000000)
    try: await asyncio.open_connection(peer, 7001)
    except OSError as e: say(errno.errorcode[e.errno])
asyncio.run(go())
)");
  w.host.run([&] { return w.count("network.unanswered") == 2; });
  const auto server = w.rent(python(kEcho));
  ASSERT_EQ(w.ip(server), "172.31.0.6");
  EXPECT_TRUE(w.host.run([&] { return w.exited(waits) && w.exited(polls); })) << w.lines;
  EXPECT_EQ(w.console(waits.value), "63\n") << w.lines;
  EXPECT_EQ(w.console(polls.value), "b'hello' 63\nECONNREFUSED\n");
}

TEST_F(PrivateNetworkTest, ReportsTheEndOfEachSide) {
  Network w;
  EXPECT_EQ(w.console_of_client(R"(
s = listen(7000)
c, who = s.accept(); say(all_of(c, 99)); c.sendall(b'half'); c.close()
c, who = s.accept()
c.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack('ii', 1, 0)); c.close()
c, who = s.accept(); os._exit(0)
)",
                                R"(
c = socket.create_connection((peer, 7000)); c.sendall(b'all')
c.shutdown(socket.SHUT_WR); say(all_of(c, 99))
c = socket.create_connection((peer, 7000))
try: c.recv(1)
except OSError as e: say(type(e).__name__)
c = socket.create_connection((peer, 7000)); say(c.recv(1))
)"),
            "b'half'\nConnectionResetError\nb''\n");
  EXPECT_EQ(w.console(w.peer.value), "b'all'\n");
}

constexpr const char* kWaitForPeer = R"(
c = socket.create_connection((peer, 7000)); say(c.recv(9)); c.settimeout(600)
begin = time.monotonic()
try: say(c.recv(9), 'after', since(begin) // 60000000)
except OSError as e: say(e)
)";
constexpr const char* kSpeakOnce =
    "c, who = listen(7000).accept(); c.sendall(b'hi'); time.sleep(1e6)";

TEST_F(PrivateNetworkTest, AShutdownClosesConnections) {
  Network w;
  w.simulation.after(240s, [&] { w.cloud.terminate_instances({w.peer}); });
  EXPECT_EQ(w.console_of_client(kSpeakOnce, kWaitForPeer), "b'hi'\nb'' after 1\n") << w.lines;
}

TEST_F(PrivateNetworkTest, APowerCutDoesNotCloseConnections) {
  Network w;
  w.simulation.after(
      180s, [&] { w.cloud.interrupt(w.peer, cloud::Cloud::Notice::kNone, "no-capacity"); });
  const auto launch = w.launch_with(python(kSpeakOnce));
  w.peer = launch;
  w.self = w.rent(python("peer = '" + w.ip(w.peer) + "'\ntime.sleep(60)\n" + kWaitForPeer));
  EXPECT_TRUE(w.host.run([&] { return w.exited(w.self); })) << w.lines;
  EXPECT_EQ(w.console(w.self.value), "b'hi'\ntimed out\n") << w.lines;
  EXPECT_EQ(w.last("network.closed")->fields.at("how"), "cut");
}

TEST_F(PrivateNetworkTest, ServesBashAndCurl) {
  Network w;
  w.peer = w.rent(
      "#!/bin/bash\nmkdir /www; head -c 3000000 /dev/zero >/www/model; cd /www\n"
      "python3 -m http.server 8000 2>/dev/null");
  w.self = w.rent("#!/bin/bash\nsleep 60; peer=" + w.ip(w.peer) + R"(
curl -sS "http://$peer:8000/model" | wc -c
exec 3<>/dev/tcp/$peer/8000; printf 'HEAD /model HTTP/1.0\r\n\r\n' >&3; head -1 <&3 | tr -d '\r'
getent hosts $HOSTNAME | cut -d' ' -f1
curl -sS -m 3 "http://$peer:8001/"; echo $?
)");
  EXPECT_TRUE(w.host.run([&] { return w.exited(w.self); })) << w.lines;
  EXPECT_EQ(w.console(w.self.value).substr(0, 8 + 16), "3000000\nHTTP/1.0 200 OK\n");
  EXPECT_NE(w.console(w.self.value).find(w.ip(w.self)), std::string::npos);
}

TEST_F(PrivateNetworkTest, BillsWhatCrossesZones) {
  Network w;
  w.console_of_client(kEcho, R"(
c = socket.create_connection((peer, 7000)); c.sendall(bytes(1 << 20)); all_of(c, 1 << 20)
)",
                      "us-west-2b");
  w.cloud.close_books();
  std::vector<std::string> charged;
  for (const Event& event : w.events)
    if (event.kind == "charge" && event.fields.at("kind") == "transfer")
      charged.push_back(event.fields.at("cost"));
  // 2 MiB of 1024 MiB at a cent, in and out, for each of both.
  EXPECT_EQ(charged, (std::vector<std::string>{"0.000019531", "0.000019531"}));
}

TEST_F(PrivateNetworkTest, MayBeUnderWayWhenTheRunEnds) {
  Network w;
  w.console_of_client(kEcho, R"(
c = socket.create_connection((peer, 7000)); c.sendall(bytes(1 << 20)); say('sent')
if os.fork() == 0: time.sleep(1e6)
)",
                      "us-west-2b");
  EXPECT_EQ(w.console(w.self.value), "sent\n");
}

TEST_F(PrivateNetworkTest, IsFreeWithinAZone) {
  Network w;
  w.console_of_client(kEcho, kEchoClient);
  w.cloud.close_books();
  EXPECT_EQ(w.lines.find("\"transfer\""), std::string::npos);
}

TEST_F(PrivateNetworkTest, IsTheSameEachTime) {
  if (!lockstep_permitted()) GTEST_SKIP() << "no SCHED_FIFO here";
  const auto fingerprint = [] {
    Network w;
    w.console_of_client(R"(
c, who = listen(7000).accept()
while n := c.recv(8): c.sendall(bytes(100_000)); all_of(c, 3_000_000)
)",
                        R"(
c = socket.create_connection((peer, 7000))
for i in range(5):
    c.sendall(b'another.'); all_of(c, 100_000); c.sendall(bytes(3_000_000)); say(time.monotonic())
)");
    return w.log.fingerprint() + w.console(w.self.value);
  };
  const std::string first = fingerprint();
  for (int i = 0; i < 4; ++i) EXPECT_EQ(fingerprint(), first);
}

}  // namespace
}  // namespace sim::guest
