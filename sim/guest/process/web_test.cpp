// Real programs download, over TLS, the contents that the scenario maps to URLs.
#include <gtest/gtest.h>

#include <fstream>

#include "sim/guest/process/levels_for_test.h"
#include "sim/guest/time/lockstep.h"

namespace sim::guest {
namespace {

using test::at_both_levels;
using test::HostWorld;
using namespace std::chrono_literals;

class GuestWeb : public testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists("/usr/bin/wget")) GTEST_SKIP() << "wget is not installed";
  }
  GuestWeb() {
    std::filesystem::permissions(folder, std::filesystem::perms(0755));
    std::ofstream(folder / "setup.py") << "print('set up')\n";
  }
  ~GuestWeb() override { std::filesystem::remove_all(folder); }

  fakes::WebContents urls() const {
    return {{"https://raw.example.org/main/", {.path = folder}},
            {"https://s3.amazonaws.com/downloads/setup.py", {.path = folder / "setup.py"}},
            {"https://data.example.org/zeros.tar",
             {.size = 30'000'000, .latency = 500ms, .bytes_per_second = 10'000'000}}};
  }

  const std::filesystem::path folder = HostWorld::make_folder();
};

TEST_F(GuestWeb, HasOnlyTheContentsOfTheScenario) {
  at_both_levels([this](Level level) {
    HostWorld w(level, false, {{"https://git.example.org/code.git", folder}}, {}, {}, urls());
    const auto id = w.launch(
        "wget -qO- https://raw.example.org/main/setup.py\n"
        "wget -q https://s3.amazonaws.com/downloads/setup.py && python3 setup.py\n"
        "curl -sL http://raw.example.org/main/setup.py\n"
        "for url in https://raw.example.org/none https://git.example.org/other "
        "https://s3.amazonaws.com/; do curl -s -o /dev/null -w '%{http_code} ' $url; done\n"
        "curl -s https://example.org; echo $?\n"
        "git clone -q https://git.example.org/code.git && ls code\n");
    ASSERT_TRUE(w.wait("guest.exit"));
    EXPECT_EQ(w.console(id.value),
              "print('set up')\nset up\nprint('set up')\n404 404 403 6\nsetup.py\n");
    EXPECT_EQ(w.count("guest.download"), 6U) << w.lines;
    EXPECT_NE(w.lines.find("\"url\":\"https://s3.amazonaws.com/downloads/setup.py\",\"status\":200,"
                           "\"bytes\":16}"),
              std::string::npos)
        << w.lines;
  });
}

// Exact to the millisecond: DNS, the handshake and a program's start take almost no time.
TEST_F(GuestWeb, TakesTheTimeOfItsBandwidth) {
  at_both_levels([this](Level level) {
    HostWorld w(level, false, {}, {}, {}, urls());
    const auto id = w.launch(
        "begin=$(date +%s%N); curl -sO https://data.example.org/zeros.tar\n"
        "end=$(date +%s%N); echo $(((end - begin) / 100000000)) $(wc -c < zeros.tar)\n");
    ASSERT_TRUE(w.wait("guest.exit"));
    EXPECT_EQ(w.console(id.value), "35 30000000\n");
  });
}

// A program that writes twice before it reads waits until the first write is acknowledged (Nagle).
// The kernel's delay for an acknowledgement is real time, during which virtual time could pass a
// timeout.
TEST(GuestNetwork, AcknowledgesAtOnce) {
  at_both_levels([](Level level) {
    HostWorld w(level);
    const auto id = w.launch(
        "python3 - <<'END'\n"
        "import socket, threading\n"
        "listening = socket.create_server(('127.0.0.1', 7000))\n"
        "def serve():\n"
        "  peer = listening.accept()[0].makefile('rwb', buffering=0)\n"
        "  for i in range(30): peer.read(1), peer.read(1), peer.write(b'x')\n"
        "threading.Thread(target=serve).start()\n"
        "client = socket.create_connection(('127.0.0.1', 7000), timeout=900)\n"
        "for i in range(30): client.send(b'a'), client.send(b'b'), client.recv(1)\n"
        "print('heard')\n"
        "END\n");
    ASSERT_TRUE(w.wait("guest.exit"));
    EXPECT_TRUE(w.console(id.value).ends_with("heard\n")) << w.console(id.value);
  });
}

TEST_F(GuestWeb, GivesOneLogInLockstep) {
  if (!obstacle(Level::kRoot).empty() || !lockstep_permitted()) GTEST_SKIP() << "no lockstep here";
  std::string lines[3];
  for (auto& log : lines) {
    HostWorld w(Level::kRoot, true, {}, {}, {}, urls());
    const auto id = w.launch(
        "curl -sO https://data.example.org/zeros.tar & wget -q "
        "https://raw.example.org/main/setup.py"
        "\ndate +%s.%N; wait; date +%s.%N; md5sum zeros.tar setup.py\n");
    ASSERT_TRUE(w.wait("guest.exit"));
    log = w.lines + w.console(id.value);
  }
  EXPECT_EQ(lines[0], lines[1]);
  EXPECT_EQ(lines[0], lines[2]);
}

}  // namespace
}  // namespace sim::guest
