// The content of a volume's files after a power cut. Virtual time determines it, on an idle and on
// a busy host.
#include <sched.h>
#include <signal.h>
#include <sys/wait.h>

#include <memory>

#include "base/long_for_test.h"
#include "sim/guest/process/host_for_test.h"
#include "sim/guest/time/lockstep.h"

namespace sim::guest {
namespace {

using cloud::InstanceState;
using cloud::VolumeState;
using test::HostWorld;

// How often each cut is made, on an idle host and on a busy one in turn.
int repeats() {
  const char* asked = std::getenv("SPOTSIM_REPEAT");
  return asked ? std::atoi(asked) : 4;
}

// Two processes that compute as long as this object exists.
class BusyHost {
 public:
  BusyHost() {
    for (pid_t& process : processes_)
      if ((process = fork()) == 0)
        for (;;) sched_yield();
  }
  ~BusyHost() {
    for (const pid_t process : processes_) {
      kill(process, SIGKILL);
      waitpid(process, nullptr, 0);
    }
  }

 private:
  pid_t processes_[2];
};

class PowerCut : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    const std::string why = obstacle(Level::kRoot);
    if (!why.empty()) GTEST_SKIP() << "no root sandbox here: " << why;
    if (!lockstep_permitted()) GTEST_SKIP() << "no SCHED_FIFO here";
  }
  // Waits for the volume's device and mounts its file system. Makes the file system if there is
  // none.
  static std::string mounted(const std::string& options = "") {
    return "while [ ! -b /dev/xvdf ]; do sleep 1; done; mkdir -p /data\n"
           "blkid /dev/xvdf >/dev/null || mkfs." +
           GetParam() + " -q /dev/xvdf\nmount " + options + " /dev/xvdf /data; cd /data\n";
  }
  static cloud::InstanceId start(HostWorld& w, const cloud::VolumeId& volume,
                                 const std::string& script) {
    const auto id = w.launch(script);
    EXPECT_TRUE(w.wait(id, InstanceState::kRunning));
    EXPECT_TRUE(w.wait(volume, VolumeState::kAvailable));
    w.cloud.attach_volume(volume, id, "/dev/sdf");
    return id;
  }
  // The next instance's output of `look` in the volume's folder.
  static std::string found(HostWorld& w, const cloud::VolumeId& volume, const std::string& look) {
    const auto id = start(w, volume, mounted() + look);
    EXPECT_TRUE(w.wait("guest.exit", w.count("guest.exit") + 1)) << w.lines;
    return w.console(id.value);
  }
  static std::string report() {
    return "echo '{\"source\":\"trainer\",\"event\":\"step\",\"step\":1}' >>$JOB_EVENTS\n";
  }
  // Runs `script` in the folder of a new volume and cuts the power `after` its report. The outcome
  // has the output of `look` on the next instance, and the log.
  struct Outcome {
    std::string found, log, said;
    bool operator==(const Outcome&) const = default;
  };
  static Outcome cut(const std::string& script, Duration after, const std::string& look,
                     const std::string& options = "", WriteBackKnobs knobs = {}) {
    HostWorld w(Level::kRoot, true, {}, knobs);
    const auto volume = w.new_volume();
    const auto id = start(w, volume, mounted(options) + script);
    EXPECT_TRUE(w.wait("trainer.step")) << w.console(id.value);
    w.simulation.after(after,
                       [&] { w.cloud.interrupt(id, cloud::Cloud::Notice::kNone, "no-capacity"); });
    EXPECT_TRUE(w.wait(id, InstanceState::kTerminated));
    Outcome out{.found = found(w, volume, look), .log = {}, .said = w.said};
    out.log = w.lines;
    return out;
  }
};

// A file a second, named after the second, for two minutes; the first look is 5 s after `begun`.
constexpr const char* kFileASecond =
    "echo >begun; sleep .5; for i in {0..119}; do echo $i >$i; sleep 1; done\n";
constexpr const char* kWholeFiles = "for i in {0..119}; do [ -s $i ] && echo -n \"$i \"; done\n";

std::string numbers_to(int end) {
  std::string out;
  for (int i = 0; i < end; ++i) out += std::to_string(i) + " ";
  return out;
}

TEST_P(PowerCut, KeepsTheSamePrefixOnAnIdleAndOnABusyHost) {
  const auto once = [] { return cut(report() + kFileASecond, 78s, kWholeFiles); };
  const Outcome first = once();
  // The look in second 75 writes what was there in second 45. ext4's log has only what the look
  // before wrote; XFS's is taken as written.
  EXPECT_EQ(first.found, numbers_to(GetParam() == "xfs" ? 45 : 40));
  EXPECT_EQ(first.said, "");
  for (int i = 1; i < repeats(); ++i) {
    const auto busy = i % 2 == 1 ? std::make_unique<BusyHost>() : nullptr;
    EXPECT_EQ(once(), first) << "run " << i << (busy ? ", busy" : ", idle");
  }
}

TEST_P(PowerCut, FollowsItsKnobs) {
  const WriteBackKnobs knobs{.age = 10s, .look = 1s, .host_age = {}};
  const auto out = cut(report() + kFileASecond, 77800ms, kWholeFiles, "", knobs);
  // XFS: the look in second 77. ext4: the one before its log was written in second 75.
  EXPECT_EQ(out.found, numbers_to(GetParam() == "xfs" ? 67 : 64));
}

TEST_P(PowerCut, KeepsAtOnceWhatIsMadeDurableInWhateverWay) {
  const auto out =
      cut("echo 1 >fsync; sync fsync; echo 1 >fdatasync; sync -d fdatasync\n"
          "echo 1 | dd of=dsync oflag=dsync status=none; echo 1 >sync; sync; echo 1 >lost\n" +
              report() + "sleep 100\n",
          1ms, "for i in *; do [ -f $i -a -s $i ] && echo -n \"$i \"; done\n");
  EXPECT_EQ(out.found, "dsync fdatasync fsync sync ");
}

TEST_P(PowerCut, KeepsWhatWasUnmounted) {
  const auto out =
      cut("echo 1 >file; cd /; umount /data\n" + report() + "sleep 100\n", 1ms, "cat file\n");
  EXPECT_EQ(out.found, "1\n");
}

// A synced file is clean. Data that is written later waits for its own age.
TEST_P(PowerCut, AgesAFileFromItsFirstWriteAfterASync) {
  const std::string script =
      "echo 1 >file; sleep 20; sync file; sleep 1; echo 2 >>file\n" + report() + "sleep 1000\n";
  EXPECT_EQ(cut(script, 20s, "grep -ac 2 file\n").found, "0\n");
  EXPECT_EQ(cut(script, 40s, "grep -ac 2 file\n").found, "1\n");
}

// Names are in the log: ext4's is written every 5 s, or as often as the mount says.
TEST_P(PowerCut, KeepsNamesAsTheFileSystemsLogDoes) {
  const std::string script = report() + "for i in {1..9}; do mkdir $i; sleep 1; done; sleep 99\n";
  const bool ext4 = GetParam() == "ext4";
  constexpr const char* kNames = "echo $(ls | grep -v lost)\n";
  EXPECT_EQ(cut(script, 5500ms, kNames).found, ext4 ? "1 2 3 4 5\n" : "1 2 3 4 5 6\n");
  if (!ext4) return;
  EXPECT_EQ(cut(script, 5500ms, kNames, "-o commit=3").found, "1 2 3\n");
  EXPECT_EQ(cut("mount -o remount,commit=3 /data\n" + script, 5500ms, kNames).found, "1 2 3\n");
}

// ext4's own log timer comes after 5 s of real time, XFS's 30 s after the mount. The second takes
// long to wait for.
TEST_P(PowerCut, IgnoresTheFileSystemsRealTimers) {
  const bool ext4 = GetParam() == "ext4";
  if (!ext4) ONLY_AMONG_LONG_TESTS();
  // Real seconds, by the processor time that it takes: all clocks are virtual.
  const std::string stall =
      "used() { read x x x x x x x x x x x x x user system x </proc/$$/stat; }\n"
      "stall() { used; end=$((user + system + 100 * $1))\n"
      "while [ $((user + system)) -le $end ]; do used; done; }\n";
  const std::string script = stall + (ext4 ? "mount -o remount,commit=1 /data\n" : "stall 25\n") +
                             "echo 1 >file; mkdir folder\n" + "stall 7\n" + report() +
                             "sleep 100\n";
  const std::string found = cut(script, 1ms, "echo $(ls -s | grep -v lost)\n").found;
  EXPECT_EQ(found, ext4 ? "total 16\n" : "total 0 0 file 0 folder\n");
}

TEST_P(PowerCut, ReportsWhenTheHostMayHaveWrittenFirst) {
  const auto out =
      cut(report() + kFileASecond, 40s, kWholeFiles, "", {.age = 30s, .look = 5s, .host_age = 0ms});
  EXPECT_NE(out.said.find("vm.dirty_expire_centisecs"), std::string::npos) << out.said;
  EXPECT_EQ(out.said.find('\n'), out.said.size() - 1) << "once: " << out.said;
}

// sync(2) on another machine does not sync this machine's volume.
TEST_P(PowerCut, LosesWhatOnlyAnotherInstanceSynced) {
  HostWorld w(Level::kRoot, true, {}, {.age = 1h, .look = 5s, .host_age = {}});
  const auto volume = w.new_volume();
  const auto id = start(w, volume, mounted() + "echo 1 >file\n" + report() + "sleep 1000\n");
  ASSERT_TRUE(w.wait("trainer.step"));
  w.launch("sync\n");
  ASSERT_TRUE(w.wait("guest.exit"));
  w.cloud.interrupt(id, cloud::Cloud::Notice::kNone, "no-capacity");
  ASSERT_TRUE(w.wait(id, InstanceState::kTerminated));
  EXPECT_EQ(found(w, volume, "cat file && echo is empty\n"), "is empty\n");
}

// Cuts the power at the 1500000th byte of a file, and returns the console's text.
std::string cut_at_a_byte(HostWorld& w, const cloud::InstanceId& id, bool flushed) {
  w.host.cut_power_at(id,
                      {.path = "/data/*.h5", .bytes = 1'500'000, .flushed = flushed, .cut = [&] {
                         w.cloud.interrupt(id, cloud::Cloud::Notice::kNone, "no-capacity");
                       }});
  EXPECT_TRUE(w.wait(id, InstanceState::kTerminated)) << w.console(id.value);
  return w.console(id.value);
}

TEST_P(PowerCut, CutsAtTheByteOfAFileHoweverItIsWritten) {
  const std::string four = "head -c 4000000 /dev/zero >/tmp/four; ";
  for (const std::string write :
       {"dd if=/dev/zero of=a.h5 bs=64k count=100 status=none", "cp /tmp/four a.h5",
        "cat /tmp/four /tmp/four >>a.h5",
        "python3 -c 'import os; f = os.open(\"a.h5\", os.O_CREAT | os.O_WRONLY); "
        "os.writev(f, [b\"x\" * 999999, b\"y\" * 999999])'"}) {
    HostWorld w(Level::kRoot, true);
    const auto volume = w.new_volume();
    const auto id = start(w, volume, mounted() + four + write + "; echo not cut\n");
    EXPECT_EQ(cut_at_a_byte(w, id, true).find("not cut"), std::string::npos) << write;
    EXPECT_EQ(found(w, volume, "stat -c %s a.h5\n"), "1500000\n") << write;
  }
}

TEST_P(PowerCut, KeepsOfAHalfWrittenFileWhatWasOnTheDisk) {
  const auto left_by = [](const std::string& how) {
    HostWorld w(Level::kRoot, true);
    const auto volume = w.new_volume();
    const auto id =
        start(w, volume,
              mounted() + "dd if=/dev/zero of=a.h5 bs=64k count=100 status=none " + how + "\n");
    cut_at_a_byte(w, id, false);
    return found(w, volume, "stat -c %s a.h5 2>/dev/null || echo none\n");
  };
  EXPECT_EQ(left_by(""), GetParam() == "xfs" ? "0\n" : "none\n");
  EXPECT_EQ(left_by("oflag=dsync"), "1500000\n");
}

TEST_P(PowerCut, LeavesAnInstanceAloneWhoseFileStaysSmaller) {
  HostWorld w(Level::kRoot, true);
  const auto volume = w.new_volume();
  const auto id = start(w, volume,
                        mounted() +
                            "head -c 1499999 /dev/zero >a.h5; mkdir b; head -c 4000000 "
                            "/dev/zero >b/a.h5; cp b/a.h5 other; echo not cut\n");
  bool cut = false;
  w.host.cut_power_at(
      id, {.path = "/data/*.h5", .bytes = 1'500'000, .flushed = false, .cut = [&] { cut = true; }});
  EXPECT_TRUE(w.wait("guest.exit"));
  EXPECT_EQ(w.console(id.value), "not cut\n");
  EXPECT_FALSE(cut);
}

INSTANTIATE_TEST_SUITE_P(FileSystems, PowerCut, testing::Values("ext4", "xfs"),
                         [](const auto& of) { return of.param; });

}  // namespace
}  // namespace sim::guest
