// A guest's environment depends neither on the process that starts the simulator, nor on other work
// of this machine.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <fstream>
#include <string>

#include "sim/guest/process/host_for_test.h"
#include "sim/guest/process/levels_for_test.h"

namespace sim::guest {
namespace {

using test::HostWorld;

class CallerOfGuests : public testing::TestWithParam<Level> {
 protected:
  // The console output of a script in a world whose caller has these attributes.
  static void expect(const std::function<void()>& become, const std::string& script,
                     const std::string& written) {
    const auto world = [&] {
      become();
      HostWorld w(GetParam());
      const auto id = w.launch(script);
      ASSERT_TRUE(w.wait("guest.exit"));
      EXPECT_EQ(w.console(id.value), written);
    };
    const std::string why =
        GetParam() == Level::kRoot ? obstacle(GetParam()) : test::obstacle_as_user(GetParam());
    if (!why.empty()) GTEST_SKIP() << "no sandbox of the level here: " << why;
    if (GetParam() == Level::kRoot)
      EXPECT_TRUE(test::passes_in_child(world));
    else
      EXPECT_TRUE(test::passes_as_user(world));
  }
};

void lower_limit(__rlimit_resource which, rlim_t value) {
  rlimit now{};
  getrlimit(which, &now);
  now.rlim_cur = std::min(value, now.rlim_max);
  setrlimit(which, &now);
}

TEST_P(CallerOfGuests, HandsNothingOn) {
  expect(
      [] {
        umask(077);
        for (const int signal : {SIGHUP, SIGPIPE, SIGUSR1}) ::signal(signal, SIG_IGN);
        sigset_t blocked;
        sigemptyset(&blocked);
        sigaddset(&blocked, SIGUSR2);
        sigprocmask(SIG_BLOCK, &blocked, nullptr);
        lower_limit(RLIMIT_NOFILE, 512);
        lower_limit(RLIMIT_STACK, 1 << 20);
        lower_limit(RLIMIT_FSIZE, 64 << 20);
        setpriority(PRIO_PROCESS, 0, 5);
        std::ofstream("/proc/self/oom_score_adj") << 300;
        setenv("TZ", "Asia/Tokyo", 1);
        setenv("LANG", "de_DE.UTF-8", 1);
      },
      "umask; ulimit -S -n -s -f -c; grep -E '^Sig(Blk|Ign)' /proc/self/status; date +%Z; echo "
      "$LANG\n"
      "cat /proc/self/cgroup | cut -d: -f3 | sort -u; cat /proc/self/timerslack_ns\n"
      "stat -c %a /var/lib/spotsim/commands /var/lib/spotsim/commands/aws /etc/hosts\n",
      "0022\n"
      "open files                          (-n) 1024\n"
      "stack size                  (kbytes, -s) 8192\n"
      "file size                   (blocks, -f) unlimited\n"
      "core file size              (blocks, -c) 0\n"
      "SigBlk:\t0000000000000000\nSigIgn:\t0000000000000000\nUTC\nC.UTF-8\n/"
      "\n50000\n755\n755\n644\n");
}

TEST_P(CallerOfGuests, ShowsNoCountersOfThisMachine) {
  expect([] {},
         "set -- $(awk '/^Mem(Total|Free|Available)/ { print $2 }' /proc/meminfo)\n"
         "echo $(($1 - $1 / 16 - $2)) $(($2 - $3)); free -k | awk '/Mem/ { print $3 == \"'$(($1 / "
         "16))'\" }'\n"
         "python3 -c 'import os; print(os.sysconf(\"SC_AVPHYS_PAGES\") == '$2' // 4)'\n"
         "grep -c -v ' 0$' /proc/vmstat; wc -l </proc/interrupts; wc -l </proc/softirqs\n"
         "grep -E ' (sd|vd|sr|dm-|loop|ram)' /proc/diskstats | wc -l\n"
         "cat /proc/sys/fs/file-nr /proc/sys/fs/dentry-state; head -n 1 /proc/loadavg\n"
         "[ $(cat /proc/sys/kernel/random/boot_id) = $(cat /proc/sys/kernel/random/boot_id) ]; "
         "echo $?\n"
         "tr -d '0-9a-f\\n' </etc/machine-id | wc -c\n",
         "0 0\n1\nTrue\n0\n1\n1\n0\n"
         "1024\t0\t9223372036854775807\n1024\t0\t45\t0\t0\t0\n0.00 0.00 0.00 1/64 1024\n0\n0\n");
}

INSTANTIATE_TEST_SUITE_P(Levels, CallerOfGuests,
                         testing::Values(Level::kRoot, Level::kUserNamespaces), [](const auto& of) {
                           return of.param == Level::kRoot ? "Root" : "UserNamespaces";
                         });

}  // namespace
}  // namespace sim::guest
