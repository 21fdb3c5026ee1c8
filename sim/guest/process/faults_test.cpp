// Faults inside of real guests.
#include "sim/guest/process/host_for_test.h"
#include "sim/guest/time/lockstep.h"

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
    HostWorld w(Level::kRoot, lockstep_permitted());
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

TEST_F(GuestFaults, ATrainerWithoutAStatedNameIsWhatHasTheMostMemory) {
  const std::string python =
      "exec 2>/dev/null; sleep 1000 & p=$!; python3 -c 'import time; x = bytearray(50000000); "
      "time.sleep(300)'; echo $?; kill $p && echo the other runs";
  EXPECT_EQ(console_after(python, {.what = What::kCrash}), "137\nthe other runs\n");
  EXPECT_EQ(console_after("exec 2>/dev/null; cp /bin/sleep /tmp/spottrain; /tmp/spottrain 300 & "
                          "python3 -c 'import time; time.sleep(200)'; echo $?; wait $!; echo $?",
                          {.what = What::kCrash}),
            "0\n137\n")
      << "spottrain is";
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

TEST_F(GuestFaults, AnOutOfMemoryKillIsReportedOnTheConsole) {
  const std::string console =
      console_after("exec 2>/dev/null; cp /bin/sleep /tmp/trainer; /tmp/trainer 1000; echo $?",
                    {.what = What::kOutOfMemory, .program = "trainer"});
  EXPECT_NE(console.find("Out of memory: Killed process "), std::string::npos) << console;
  EXPECT_NE(console.find(" (trainer) total-vm:"), std::string::npos) << console;
  EXPECT_TRUE(console.ends_with("137\n")) << console;
}

TEST_F(GuestFaults, NumbersInAProgramsMemoryBecomeNan) {
  EXPECT_EQ(console_after("cat >/tmp/numbers.py <<'END'\n"
                          "import array, math, time\n"
                          "numbers = array.array('f', [0.5] * 100000)\n"
                          "words = array.array('I', range(100000))\n"
                          "time.sleep(300)\n"
                          "print(sum(math.isnan(n) for n in numbers) >= 90)\n"
                          "print(list(words) == list(range(100000)))\n"
                          "END\n"
                          "cp $(readlink -f /usr/bin/python3) /tmp/numbers; /tmp/numbers "
                          "/tmp/numbers.py",
                          {.what = What::kBadMemory, .program = "numbers"}),
            "True\nTrue\n");
}

TEST_F(GuestFaults, AClockIsAheadForAWhileAndSleepsAreNot) {
  EXPECT_EQ(console_after("a=$(date +%s); sleep 200; b=$(date +%s); sleep 600; c=$(date +%s)\n"
                          "echo $(((b - a) / 10)) $(((c - b) / 10)); ",
                          {.what = What::kClockSkew,
                           .lasts = std::chrono::minutes{5},
                           .skew = std::chrono::minutes{10}}),
            "80 0\n");
}

TEST_F(GuestFaults, CodeCannotBeClonedForAWhile) {
  const std::string url = "https://github.com/example/training.git";
  HostWorld w(Level::kRoot, lockstep_permitted(),
              {{url, std::filesystem::path(SPOTSIM_SOURCE_DIR) / "scenarios/code/cifar10"}});
  const auto id = w.launch("exec 2>/dev/null; sleep 300; git clone -q " + url +
                           " /tmp/a; echo $?; sleep 900; git clone -q " + url + " /tmp/b; echo $?");
  ASSERT_TRUE(w.wait(id, cloud::InstanceState::kRunning));
  w.simulation.after(std::chrono::seconds{100}, [&] {
    w.host.inflict({}, {.what = What::kCodeUnreachable, .lasts = std::chrono::minutes{10}});
  });
  ASSERT_TRUE(w.wait("guest.exit")) << w.lines;
  EXPECT_EQ(w.console(id.value), "128\n0\n");
}

// The instance has a volume with a file system, which its script has mounted when the fault
// strikes.
class VolumeFaults : public GuestFaults {
 protected:
  static std::string console_with_volume(const std::string& script, const GuestFault& fault) {
    HostWorld w(Level::kRoot, lockstep_permitted());
    const auto id = w.launch(
        "exec 2>&1; while [ ! -b /dev/xvdf ]; do sleep 1; done; mkfs.xfs -q /dev/xvdf; mkdir "
        "/data; "
        "mount /dev/xvdf /data; echo kept >/data/kept; sync; " +
        script);
    EXPECT_TRUE(w.wait(id, cloud::InstanceState::kRunning));
    const auto volume = w.cloud.create_volume(
        {.availability_zone = w.cloud.instance(id).spec.availability_zone, .size_gib = 1});
    w.simulation.after(std::chrono::seconds{60},
                       [&] { w.cloud.attach_volume(volume, id, "/dev/sdf"); });
    w.simulation.after(std::chrono::seconds{200}, [&] { w.host.inflict(id, fault); });
    EXPECT_TRUE(w.wait("guest.exit")) << w.lines;
    return w.console(id.value);
  }
};

TEST_F(VolumeFaults, AFullDiskHasRoomAgain) {
  EXPECT_EQ(console_with_volume("write() { (head -c 100000 /dev/zero >/data/more) 2>/dev/null; }\n"
                                "sleep 300; write || echo full; cat /data/kept; sleep 600; "
                                "write && echo room; ls -A /data",
                                {.what = What::kDiskFull, .lasts = std::chrono::minutes{10}}),
            "full\nkept\nroom\nkept\nmore\n");
}

TEST_F(VolumeFaults, AFilesystemTurnsReadOnlyUntilItIsMountedAnew) {
  EXPECT_EQ(console_with_volume("sleep 300; (echo more >/data/more) 2>/dev/null || echo refused; "
                                "cat /data/kept; umount /data; mount /dev/xvdf /data; "
                                "echo more >/data/more; ls /data",
                                {.what = What::kReadOnly}),
            "refused\nkept\nkept\nmore\n");
}

TEST_F(VolumeFaults, ADisksErrorsEndWithANewMountAndWhatWasWrittenIsThere) {
  EXPECT_EQ(console_with_volume("sleep 300; ls /data >/dev/null || echo refused; umount /data; "
                                "mount /dev/xvdf /data; cat /data/kept",
                                {.what = What::kDiskErrors}),
            "ls: cannot access '/data': Input/output error\nrefused\nkept\n");
}

// Minutes since the strike, by the guest's clock. The fault strikes at 200 s and lasts ten minutes.
TEST_F(VolumeFaults, PausedIoIsAnsweredWhenItGoesOn) {
  const auto minutes = [](const std::string& io, const std::string& before = "",
                          const std::string& volume = "") {
    return console_with_volume(
        before + "struck=$(($(date +%s) + 130)); sleep 150\n" + io +
            "echo $(( ($(date +%s) - struck) / 60 )); sleep 900; cat /data/kept 2>&1",
        {.what = What::kPausedIo, .volume = volume, .lasts = std::chrono::minutes{10}});
  };
  const std::string more = "echo more >>/data/kept";
  EXPECT_EQ(minutes(more + "\n"), "0\nkept\nmore\n") << "in memory";
  EXPECT_EQ(minutes(more + "; sync /data/kept\n"), "10\nkept\nmore\n");
  EXPECT_EQ(minutes(more + "; sync -f /data\n"), "10\nkept\nmore\n");
  EXPECT_EQ(minutes(more + "; sync\n"), "10\nkept\nmore\n");
  EXPECT_EQ(minutes("mkdir /data/folder; sync\n"), "10\nkept\n");
  EXPECT_EQ(minutes("umount /data\n"), "10\ncat: /data/kept: No such file or directory\n");
  EXPECT_EQ(minutes("mount /dev/xvdf /data\n", "umount /data\n"), "10\nkept\n");
  EXPECT_EQ(minutes("cat /data/kept\n", "umount /data; mount /dev/xvdf /data\n"),
            "kept\n10\nkept\n");
  EXPECT_EQ(minutes("sleep 600; " + more + "; sync\n"), "10\nkept\nmore\n") << "it is over";
  EXPECT_EQ(minutes(more + "; sync\n", "", "vol-0"), "0\nkept\nmore\n") << "another volume's";
}

// Written data waits in memory for the volume, before a power cut and before a termination. Names
// are in XFS's log, whose timer cannot be stopped.
TEST_F(VolumeFaults, WhatIsWrittenWhileIoIsPausedIsLostWithTheInstance) {
  for (const std::string filesystem : {"ext4", "xfs"})
    for (const bool power_cut : {true, false}) {
      HostWorld w(Level::kRoot, lockstep_permitted());
      const std::string attached = "while [ ! -b /dev/xvdf ]; do sleep 1; done; mkdir /data\n";
      const auto id = w.launch(attached + "mkfs." + filesystem +
                               " -q /dev/xvdf; mount /dev/xvdf /data; cd /data; sync\n"
                               "for i in {1..40}; do echo 1 >$i; sleep 10; done\n");
      ASSERT_TRUE(w.wait(id, cloud::InstanceState::kRunning));
      const auto volume = w.new_volume();
      ASSERT_TRUE(w.wait(volume, cloud::VolumeState::kAvailable));
      w.cloud.attach_volume(volume, id, "/dev/sdf");
      ASSERT_TRUE(w.wait("instance.boot"));
      w.simulation.after(std::chrono::seconds{100}, [&] {
        w.host.inflict(id, {.what = What::kPausedIo, .lasts = std::chrono::minutes{10}});
      });
      w.simulation.after(std::chrono::seconds{300}, [&] {
        power_cut ? w.cloud.fail_host(id) : w.cloud.terminate_instances({id});
      });
      ASSERT_TRUE(w.wait(id, cloud::InstanceState::kTerminated)) << w.lines;
      const auto next = w.launch(attached +
                                 "mount /dev/xvdf /data; cd /data; ls | grep -c '[0-9]'\n"
                                 "for i in {1..40}; do [ -s $i ] && echo -n \"$i \"; done\n");
      ASSERT_TRUE(w.wait(next, cloud::InstanceState::kRunning));
      w.cloud.attach_volume(volume, next, "/dev/sdf");
      ASSERT_TRUE(w.wait("guest.exit", w.count("guest.exit") + 1)) << w.lines;
      const std::string names = filesystem == "ext4" ? "10\n" : "30\n";
      EXPECT_EQ(w.console(next.value), names + "1 2 3 4 5 6 7 ") << filesystem << power_cut;
    }
}

// The cut is requested while the instance runs. Writes were watched since its boot.
TEST_F(GuestFaults, APowerCutInAWriteLeavesWhatWasWritten) {
  HostWorld w(Level::kRoot, true);
  w.host.watch_writes();
  const auto id = w.launch("sleep 200; echo -n 0123456789 >/tmp/file; echo not cut");
  EXPECT_TRUE(w.wait(id, cloud::InstanceState::kRunning));
  w.simulation.after(std::chrono::seconds{100}, [&] {
    w.host.cut_power_at(
        id, {.path = "/tmp/*", .bytes = 4, .flushed = true, .cut = [&] { w.cloud.fail_host(id); }});
  });
  EXPECT_TRUE(w.wait(id, cloud::InstanceState::kTerminated)) << w.lines;
  EXPECT_EQ(w.console(id.value), "");
}

TEST_F(GuestFaults, OfTwoPowerCutsInWritesTheFirstToComeCounts) {
  HostWorld w(Level::kRoot, true);
  w.host.watch_writes();
  const auto id = w.launch("sleep 200; echo -n 0123456789 >/tmp/file; echo not cut");
  EXPECT_TRUE(w.wait(id, cloud::InstanceState::kRunning));
  std::vector<int> cut;
  for (const int bytes : {8, 4, 6})
    w.host.cut_power_at(id, {.path = "/tmp/*", .bytes = bytes, .flushed = true, .cut = [&, bytes] {
                               cut.push_back(bytes);
                               w.cloud.fail_host(id);
                             }});
  w.host.cut_power_at(id, {.path = "/no/*", .bytes = 1, .flushed = true, .cut = [] {}});
  EXPECT_TRUE(w.wait(id, cloud::InstanceState::kTerminated)) << w.lines;
  EXPECT_EQ(cut, std::vector{4});
}

// A new file in the same folder is written completely.
TEST_F(GuestFaults, APowerCutInWritingAFileAgainIsNotOneInANewFile) {
  HostWorld w(Level::kRoot, true);
  w.host.watch_writes();
  const auto id = w.launch(
      "echo -n good >/tmp/last; sleep 200; echo -n 0123456789 >/tmp/new; "
      "mv /tmp/new /tmp/newest; exec 2>&1; cat /tmp/newest; echo; sleep 1; "
      "echo -n 0123456789 >/tmp/last; echo not cut");
  EXPECT_TRUE(w.wait(id, cloud::InstanceState::kRunning));
  w.simulation.after(std::chrono::seconds{100}, [&] {
    w.host.cut_power_at(id,
                        {.path = "/tmp/*", .bytes = 4, .again = true, .flushed = true, .cut = [&] {
                           w.cloud.fail_host(id);
                         }});
  });
  EXPECT_TRUE(w.wait(id, cloud::InstanceState::kTerminated)) << w.lines;
  EXPECT_EQ(w.console(id.value), "0123456789\n");
}

TEST_F(GuestFaults, AnInstanceWithoutWhatIsStruckGoesOn) {
  EXPECT_EQ(console_after("sleep 200; echo there", {.what = What::kCrash, .program = "none"}),
            "there\n");
  EXPECT_EQ(console_after("sleep 200; echo there", {.what = What::kDamage, .path = "/no/such*"}),
            "there\n");
}

}  // namespace
}  // namespace sim::guest
