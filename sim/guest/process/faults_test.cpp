// Faults inside of real guests.
#include "sim/guest/process/host_for_test.h"

namespace sim::guest {
namespace {

using test::HostWorld;
using What = GuestFault::What;

class GuestFaults : public testing::Test {
 protected:
  void SetUp() override {
    const std::string why = obstacle(Level::kRoot);
    if (!why.empty()) GTEST_SKIP() << "no root sandbox here: " << why;
  }
  // Strikes 100 s after the instance began to run, and waits for the end of its user data.
  static std::string console_after(const std::string& script, const GuestFault& fault) {
    HostWorld w(Level::kRoot);
    const auto id = w.launch(script);
    EXPECT_TRUE(w.wait(id, cloud::InstanceState::kRunning));
    w.simulation.after(std::chrono::seconds{100}, [&] { w.host.inflict(id, fault); });
    EXPECT_TRUE(w.wait("guest.exit")) << w.lines;
    return w.console(id.value);
  }
};

TEST_F(GuestFaults, AKilledProgramEndsWith137) {
  EXPECT_EQ(
      console_after("exec 2>/dev/null; cp /bin/sleep /tmp/trainer; /tmp/trainer 1000; echo $?",
                    {.what = What::kCrash, .program = "trainer"}),
      "137\n");
}

TEST_F(GuestFaults, AHungProgramStopsAndOnlySigkillEndsIt) {
  EXPECT_EQ(console_after("exec 2>/dev/null; cp /bin/bash /tmp/trainer\n"
                          "/tmp/trainer -c 'while :; do echo tick >>/tmp/ticks; sleep 1; done' &\n"
                          "sleep 300; a=$(wc -l </tmp/ticks); sleep 100; b=$(wc -l </tmp/ticks)\n"
                          "[ $a = $b ] && echo still\n"
                          "kill $!; sleep 5; kill -0 $! && echo there\n"
                          "kill -9 $!; wait $!; echo $?",
                          {.what = What::kHang, .program = "trainer"}),
            "still\nthere\n137\n");
}

TEST_F(GuestFaults, TheNewestFileThatFitsIsDamaged) {
  const std::string script =
      "mkdir /ck; for n in 1 2; do echo -n 0123456789 >/ck/$n.bin; sleep 2; done; "
      "echo -n other >/ck/3.txt; sleep 300; cat /ck/1.bin; echo; cat /ck/2.bin; echo; ls /ck";
  GuestFault fault{.what = What::kDamage, .path = "/ck/*.bin", .byte = 4};
  EXPECT_EQ(console_after(script, fault), "0123456789\n0123\n1.bin\n2.bin\n3.txt\n");
  fault.damage = GuestFault::Damage::kFlipped;
  EXPECT_EQ(console_after(script, fault), "0123456789\n0123556789\n1.bin\n2.bin\n3.txt\n");
  fault.damage = GuestFault::Damage::kRemoved;
  EXPECT_EQ(console_after("mkdir /ck; echo >/ck/1.bin; sleep 300; ls /ck; echo end", fault),
            "end\n");
}

TEST_F(GuestFaults, AnInstanceWithoutWhatIsStruckGoesOn) {
  EXPECT_EQ(console_after("sleep 200; echo there", {.what = What::kCrash, .program = "none"}),
            "there\n");
  EXPECT_EQ(console_after("sleep 200; echo there", {.what = What::kDamage, .path = "/no/such*"}),
            "there\n");
}

}  // namespace
}  // namespace sim::guest
