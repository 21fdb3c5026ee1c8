// Packets between instances that a fault of the network loses.
#include "sim/guest/process/host_for_test.h"
#include "sim/guest/time/lockstep.h"

namespace sim::guest {
namespace {

using test::HostWorld;

// Loses all packets between instances until a time.
struct PacketLoss : fakes::Interference {
  explicit PacketLoss(const Simulation& s) : simulation(s) {}
  Trouble before(const Call&) override { return {}; }
  void after(const Call&) override {}
  MetadataTrouble metadata(const cloud::InstanceId&, std::string_view) override { return {}; }
  std::string obstacle(const cloud::InstanceId&, const cloud::InstanceId&) override {
    return simulation.now() < until ? "a fault" : "";
  }
  const Simulation& simulation;
  Time until{};
};

constexpr const char* kEchoServer = R"(
s = socket.socket(); s.bind(('', 7000)); s.listen(8)
while True:
    c, who = s.accept()
    while part := c.recv(1 << 16): c.sendall(part)
)";

struct LossyWorld : HostWorld {
  LossyWorld() : HostWorld(Level::kRoot, lockstep_permitted()) { backend.interference = &loss; }
  cloud::InstanceId rent(const std::string& python) {
    return cloud.run_instances(
        {.image_id = "ami-1",
         .instance_type = "p3.2xlarge",
         .availability_zone = "us-west-2a",
         .user_data = "#!/bin/bash\npython3 - <<'END'\nimport socket, time\n" + python + "END\n"},
        1)[0];
  }
  // Rents a server that echoes what it gets, and a client, whose program finds the server's address
  // in `peer`. Returns the client when it is connected.
  cloud::InstanceId rent_server_and_client(const std::string& program) {
    const auto peer = rent(kEchoServer);
    const Time later = simulation.now() + 60s;
    simulation.at(later, [] {});
    host.run([&] { return simulation.now() >= later; });
    const auto client = rent("peer = '" + cloud.instance(peer).private_ip + "'\n" + program);
    EXPECT_TRUE(wait("network.connected")) << lines;
    return client;
  }
  PacketLoss loss{simulation};
};

// Prints how many tenths of a second an answer took, and a connection 40 s later.
constexpr const char* kLossyClient = R"(
def since(begin): return int((time.monotonic() - begin) * 10)
c = socket.create_connection((peer, 7000)); time.sleep(60)
begin = time.monotonic(); c.sendall(b'pi'); time.sleep(5); c.sendall(b'ng')
got = b''
while len(got) < 4: got += c.recv(4)
print(got, since(begin), flush=True)
time.sleep(40 - since(begin) // 10); begin = time.monotonic()
socket.create_connection((peer, 7000)); print(since(begin), flush=True)
)";

// The sender's kernel repeats a packet after 0.2, 0.6, 1.4, 3, 6.2 and 12.6 s. A SYN is repeated
// after 1, 3, 7 and 15 s.
TEST(LostPackets, AreRepeatedUntilTheyArrive) {
  if (const std::string why = obstacle(Level::kRoot); !why.empty())
    GTEST_SKIP() << "no root sandbox here: " << why;
  LossyWorld w;
  const auto client = w.rent_server_and_client(kLossyClient);
  w.loss.until = w.simulation.now() + 70s;
  w.simulation.after(75s, [&] { w.loss.until = w.simulation.now() + 35s; });
  ASSERT_TRUE(w.wait("guest.exit")) << w.lines;
  EXPECT_EQ(w.console(client.value), "b'ping' 126\n150\n") << w.lines;
}

// Waits for an answer that no packet brings, and prints for how many tenths of a second.
constexpr const char* kCutClient = R"(
c = socket.create_connection((peer, 7000)); time.sleep(60)
begin = time.monotonic(); c.sendall(b'ping')
try: c.recv(4)
except OSError as e: print(type(e).__name__, int((time.monotonic() - begin) * 10), flush=True)
)";

// Linux gives up after tcp_retries2 = 15 repeats: after 0.2 · (2¹⁰ - 1) + 6 · 120 s.
TEST(LostPackets, EndTheConnectionAfterFifteenRepeats) {
  if (const std::string why = obstacle(Level::kRoot); !why.empty())
    GTEST_SKIP() << "no root sandbox here: " << why;
  LossyWorld w;
  const auto client = w.rent_server_and_client(kCutClient);
  w.loss.until = w.simulation.now() + 1h;
  ASSERT_TRUE(w.wait("guest.exit")) << w.lines;
  EXPECT_EQ(w.console(client.value), "ConnectionResetError 9246\n") << w.lines;
}

}  // namespace
}  // namespace sim::guest
