// Guests find no trace of the time before their boot or of the host's processes.
#include <gtest/gtest.h>

#include "sim/guest/process/host_for_test.h"
#include "sim/guest/process/levels_for_test.h"
#include "sim/guest/time/lockstep.h"

namespace sim::guest {
namespace {

using test::HostWorld;

class UptimeInGuest : public testing::TestWithParam<Level> {
 protected:
  // Expects this console output of a script.
  static void expect(const std::string& script, const std::string& written) {
    const bool lockstep = GetParam() == Level::kRoot && lockstep_permitted();
    test::in_world_at(
        GetParam(), [&] { return HostWorld(GetParam(), lockstep); },
        [&](HostWorld& w) {
          const auto id = w.launch(script);
          ASSERT_TRUE(w.wait("guest.exit"));
          EXPECT_EQ(w.console(id.value), written);
        });
  }
};

TEST_P(UptimeInGuest, IsThatOfTheVirtualClock) {
  expect(
      "cut -d. -f1 /proc/uptime; sleep 3590; cut -d. -f1 /proc/uptime\n"
      "python3 -c 'import time; print(int(time.clock_gettime(time.CLOCK_BOOTTIME)))'\n"
      // sysinfo(2)
      "python3 -c 'import ctypes; a = (ctypes.c_ulong * 64)(); ctypes.CDLL(None).sysinfo(a); "
      "print(list(a[:4]))'\n"
      "cat /proc/loadavg; echo $(($(date +%s) - $(sed -n 's/btime //p' /proc/stat)))\n"
      "echo >/proc/uptime; cut -d. -f1 /proc/uptime\n",
      "10\n3600\n3600\n[3600, 0, 0, 0]\n0.00 0.00 0.00 1/64 1024\n3600\n"
      "/var/lib/cloud/instance/scripts/part-001: line 6: /proc/uptime: Read-only file system\n"
      "3600\n");
}

TEST_P(UptimeInGuest, IsShownByWhoAndUptime) {
  expect(
      "who -b | tr -s ' '; last reboot | grep -c 'still running'; uptime -p; sleep 7200\n"
      "uptime | tr -s ' ' | cut -d, -f 1\n",
      " system boot 2019-11-05 10:00\n1\nup 0 minutes\n 12:01:07 up 2:00\n");
}

TEST_P(UptimeInGuest, CountsTheAgeOfProcessesFromTheBootOn) {
  expect("sleep 600; [ $(ps -o etimes= -p 1) -lt 700 ] && echo young\n", "young\n");
}

TEST_P(UptimeInGuest, FindsNothingOfTheHostsInTheArgumentsOfItsFirstProcesses) {
  expect(
      "ps -eo args | grep -c -e spotsim-test -e guest_tests -e '/'\n"
      "cat /proc/[0-9]*/environ 2>/dev/null | tr '\\0' '\\n' | grep -c ^LD_\n",
      "2\n0\n");  // the script and this grep(1)
}

INSTANTIATE_TEST_SUITE_P(Levels, UptimeInGuest,
                         testing::Values(Level::kRoot, Level::kUserNamespaces), [](const auto& of) {
                           return of.param == Level::kRoot ? "Root" : "UserNamespaces";
                         });

}  // namespace
}  // namespace sim::guest
