// The virtual time of reads and writes on a volume, for all programs and kinds of calls.
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "sim/guest/process/host_for_test.h"
#include "sim/guest/time/lockstep.h"

namespace sim::guest {
namespace {

using cloud::VolumeState;
using test::HostWorld;

// A volume's file system is mounted at /data, the working folder.
constexpr const char* kMounted =
    "while [ ! -b /dev/xvdf ]; do sleep 1; done; mkdir /data\n"
    "blkid /dev/xvdf >/dev/null || mkfs.$FS -q /dev/xvdf\nmount /dev/xvdf /data; cd /data\n";
constexpr const char* kMountedAnew = "cd /; umount /data; mount /dev/xvdf /data; cd /data\n";

struct Timed {
  std::string filesystem = "ext4";
  cloud::VolumeSpec volume = {"us-west-2a", 4, "gp2", {}, {}};  // 128 MiB/s, 3000 IOPS
};

// The console output of a script on an instance to which a new volume is attached while it runs.
std::string printed(const std::string& script, const cloud::VolumeSpec& spec = Timed{}.volume) {
  HostWorld w(Level::kRoot, true);
  const auto volume = w.cloud.create_volume(spec);
  const auto id = w.launch(script);
  EXPECT_TRUE(w.wait(id, cloud::InstanceState::kRunning));
  EXPECT_TRUE(w.wait(volume, VolumeState::kAvailable));
  w.cloud.attach_volume(volume, id, "/dev/sdf");
  EXPECT_TRUE(w.wait("guest.exit")) << w.lines;
  return w.console(id.value);
}

// The time of `timed` after `before`, on a new volume, in whole tenths of a second.
std::string tenths(const std::string& before, const std::string& timed, const Timed& on = {}) {
  return printed("FS=" + on.filesystem + "\n" + kMounted + "sync; sleep 1\n" + before +
                     "\nbegin=$(date +%s%N)\n" + timed +
                     "\necho $(( ($(date +%s%N) - begin) / 100000000 ))\n",
                 on.volume);
}

class DiskTime : public testing::Test {
 protected:
  void SetUp() override {
    const std::string why = obstacle(Level::kRoot);
    if (!why.empty()) GTEST_SKIP() << "no root sandbox here: " << why;
    if (!lockstep_permitted()) GTEST_SKIP() << "no SCHED_FIFO here";
  }
  static constexpr const char* kTwo =
      "head -c $((64 << 20)) /dev/zero >a; head -c $((64 << 20)) /dev/zero >b";
};

TEST_F(DiskTime, IsOfEveryFileThatASyncWrites) {
  EXPECT_EQ(tenths(kTwo, "sync"), "10\n");
  EXPECT_EQ(tenths(kTwo, "sync -f ."), "10\n");
  EXPECT_EQ(tenths(kTwo, "cd /; umount /data"), "10\n");
  EXPECT_EQ(tenths(kTwo, "sync a"), "5\n");
}

TEST_F(DiskTime, IsTakenOnce) {
  EXPECT_EQ(tenths(std::string(kTwo) + "; sync a", "sync"), "5\n");
  EXPECT_EQ(tenths(std::string(kTwo) + "; sync", "sync; cd /; umount /data"), "0\n");
}

TEST_F(DiskTime, IsNotTheGuestsWhenWrittenBackBesideIt) {
  EXPECT_EQ(tenths(std::string(kTwo) + "; sleep 40", "sync"), "0\n");
}

// 64 MiB at 128 MiB/s.
TEST_F(DiskTime, IsOfWhatDoesNotWaitInMemory) {
  const std::string dd = "dd if=/dev/zero of=a bs=1M count=64 status=none oflag=";
  EXPECT_EQ(tenths("", dd + "direct"), "5\n");
  EXPECT_EQ(tenths("", dd + "dsync"), "5\n");
  EXPECT_EQ(tenths("", "cd /tmp; " + dd.substr(0, dd.find("of=")) + "of=/data/b " +
                           dd.substr(dd.find("bs=")) + "sync"),
            "5\n");
  EXPECT_EQ(tenths(dd + "sync", "sync; sleep 40; sync"), "400\n") << "once";
  EXPECT_EQ(tenths("", "cd /tmp; " + dd + "sync"), "0\n") << "the root disk";
}

TEST_F(DiskTime, IsOfOneQueue) {
  EXPECT_EQ(tenths("",
                   "for i in 1 2; do\n"
                   "dd if=/dev/zero of=$i bs=1M count=64 conv=fsync status=none & done; wait"),
            "10\n");
}

constexpr const char* kUnmounted = "cd /; umount /data\n";

TEST_F(DiskTime, IsOfTheDeviceWhereNothingIsMounted) {
  const std::string dd = "dd if=/dev/xvdf of=/dev/null bs=1M count=64 status=none";
  EXPECT_EQ(tenths(kUnmounted, dd), "5\n");
  EXPECT_EQ(tenths(kUnmounted, dd + " iflag=direct"), "5\n");
}

// The few bytes of the device that mkfs, blkid and mount read cost nothing. So the host's cache
// between two of these reads does not matter.
TEST_F(DiskTime, IsTheSameWhereTheHostDropsWhatWasReadOfTheDevice) {
  const auto took = [](const std::string& flag) {
    return printed(
        "while [ ! -b /dev/xvdf ]; do sleep 1; done; begin=$(date +%s%N)\nblkid /dev/xvdf\n"
        "dd if=/dev/xvdf count=0 status=none iflag=" +
        flag +
        "\nmkfs.xfs -q /dev/xvdf; mkdir /data; mount /dev/xvdf /data\n"
        "echo $(($(date +%s%N) - begin))\n");
  };
  EXPECT_EQ(took("nocache"), took("fullblock"));
}

class ReadTime : public DiskTime, public testing::WithParamInterface<std::string> {
 protected:
  // `timed` after 64 MiB were written to the file `a`, and forgotten.
  static std::string reading(const std::string& timed, Timed on = {}) {
    on.filesystem = GetParam();
    return tenths(std::string("head -c $((64 << 20)) /dev/urandom >a\n") + kMountedAnew, timed, on);
  }
  static std::string python(const std::string& read_all) {
    return "python3 -c 'import mmap, os, sys; f = os.open(\"a\", os.O_RDONLY); " + read_all + "'\n";
  }
};

TEST_P(ReadTime, IsTheThroughputHoweverAFileIsRead) {
  EXPECT_EQ(reading("dd if=a of=/dev/null bs=1M status=none"), "5\n");
  EXPECT_EQ(reading("dd if=a of=/dev/null bs=5000 status=none"), "5\n");
  EXPECT_EQ(reading("cp a /tmp; cp a /tmp/b"), "5\n") << "once";
  EXPECT_EQ(reading(python("m = mmap.mmap(f, 0, prot=mmap.PROT_READ); os.close(f); m.read()")),
            "5\n");
  EXPECT_EQ(
      reading(python("os.sendfile(os.open(\"/tmp/b\", os.O_RDWR | os.O_CREAT), f, 0, 64 << 20)")),
      "5\n");
}

// The times are the same for a program whose clock reads are mostly no system calls.
TEST_P(ReadTime, ShowsAtTheNextClockRead) {
  EXPECT_EQ(reading("python3 -c '\n"
                    "import os, time\n"
                    "f = os.open(\"a\", os.O_RDONLY)\n"
                    "for i in range(3):\n"
                    "  for j in range(50): before = time.monotonic()\n"
                    "  os.read(f, 16 << 20)\n"
                    "  print(f\"{time.monotonic() - before:.3f}\")'\n"),
            "0.133\n0.127\n0.123\n3\n");
}

// Clock reads between the transfers change nothing.
TEST_P(ReadTime, IsTheIopsWhereReadsAreSmall) {
  const std::string every_eighth = "[os.pread(f, 1, i << 15) for i in range(2048)]";
  EXPECT_EQ(reading(python(every_eighth)), "6\n") << "2048 of 3000 a second";
  EXPECT_EQ(
      reading(python("import time; [(os.pread(f, 1, i << 15), time.time()) for i in range(2048)]")),
      "6\n");
  const Timed slow{
      .volume = {.availability_zone = "us-west-2a", .size_gib = 4, .type = "io1", .iops = 100}};
  EXPECT_EQ(reading(python("[os.pread(f, 1, i << 20) for i in range(50)]"), slow), "5\n");
  EXPECT_EQ(reading("dd if=a of=/dev/null bs=4k count=6400 status=none", slow), "10\n")
      << "25 MiB/s";
}

// The kernel reads the data again here. On a guest's real machine it would still be in memory.
TEST_P(ReadTime, IsNotTakenAgainForWhatTheHostHasDropped) {
  EXPECT_EQ(reading("cat a >/dev/null; date >/dev/null; dd if=a iflag=nocache count=0 status=none\n"
                    "cat a >/dev/null"),
            "5\n");
}

// Memory is exhausted before the guest reads a clock.
TEST_P(ReadTime, IsTakenAlsoForWhatTheHostHasThrownOutByThen) {
  constexpr int kEnosys = 38;
  if (syscall(451, -1, nullptr, nullptr, 0u) == -1 && errno == kEnosys)
    GTEST_SKIP() << "no cachestat(2) here: Linux 6.5 has it";
  const std::string thrown_out =
      "m = mmap.mmap(f, 0, flags=mmap.MAP_SHARED, prot=mmap.PROT_READ); m.read(); "
      "m.madvise(21, 5 << 20, 50 << 20)";  // MADV_PAGEOUT
  EXPECT_EQ(reading(python(thrown_out)), "5\n");
}

TEST_P(ReadTime, IsTakenAgainAfterAnotherMount) {
  EXPECT_EQ(reading(std::string("cat a >/dev/null\n") + kMountedAnew + "cat a >/dev/null"), "10\n");
}

TEST_P(ReadTime, IsNoneOfWhatTheInstanceHasWritten) {
  EXPECT_EQ(reading("head -c $((32 << 20)) /dev/zero >b; sync b; begin=$(date +%s%N)\ncat b >>b2"),
            "0\n");
}

TEST_P(ReadTime, IsOfTheRestOfAFileThatTheInstanceAddsTo) {
  EXPECT_EQ(reading("echo >>a; sync a; begin=$(date +%s%N)\ncat a >/dev/null"), "5\n");
}

// If a file's time is that of the index or later, git reads the file to see whether it has changed.
// This second is virtual, so it does not depend on how long this machine computes between the two.
TEST_P(ReadTime, IsOfWhatGitTakesForJustChanged) {
  EXPECT_EQ(tenths("git init -q; head -c $((64 << 20)) /dev/urandom >a\n"
                   "python3 -c 'import time\nwhile time.process_time() < 1.1: pass'\n"
                   "git -c core.compression=0 add a\n" +
                       std::string(kMountedAnew),
                   "git diff-files --quiet", {.filesystem = GetParam()}),
            "5\n");
}

// 20 MiB/s at the first read, even if the file was read before on another machine or at another
// place. The result is in whole half seconds, because blkid reads some blocks, and files share
// some.
TEST_P(ReadTime, IsLongerForTheFirstReadAfterARestore) {
  HostWorld w(Level::kRoot, true);
  const auto run = [&w](const cloud::VolumeId& volume, const std::string& script) {
    const auto id = w.launch("FS=" + GetParam() + "\n" + kMounted +
                             "t() { begin=$(date +%s%N); \"$@\" >/dev/null\n"
                             "echo -n $(( ($(date +%s%N) - begin) / 500000000 ))' '; }\n" +
                             script);
    EXPECT_TRUE(w.wait(id, cloud::InstanceState::kRunning));
    EXPECT_TRUE(w.wait(volume, VolumeState::kAvailable));
    w.cloud.attach_volume(volume, id, "/dev/sdf");
    EXPECT_TRUE(w.wait("guest.exit", w.count("guest.exit") + 1)) << w.lines;
    const std::string out = w.console(id.value);
    w.cloud.terminate_instances({id});
    EXPECT_TRUE(w.wait(id, cloud::InstanceState::kTerminated));
    return out;
  };
  const auto volume = w.cloud.create_volume({"us-west-2a", 4, "gp2", {}, {}});
  run(volume, "for i in a b c; do head -c 38800K /dev/zero >$i; done; cd /; umount /data\n");
  const auto snapshot = w.cloud.create_snapshot(volume, "", {});
  EXPECT_TRUE(w.host.run(
      [&] { return w.cloud.snapshot(snapshot).state == cloud::SnapshotState::kCompleted; }));
  const auto restored = w.cloud.create_volume({"us-west-2a", 4, "gp2", snapshot, {}});
  EXPECT_EQ(run(restored, std::string("t cat a; t dd if=b bs=4k count=1 skip=99 status=none\n") +
                              kMountedAnew + "t cat a; t cat b; cd /; umount /data\n"),
            "3 0 0 3 ");
  EXPECT_EQ(run(restored, "t cat a; t cat b; t cat c\n"), "0 0 3 ");
}

// The times are equal to the bit, regardless of when the file system reads its own blocks.
TEST_P(ReadTime, IsTheSameInEachRun) {
  const auto took = [] {
    return printed("FS=" + GetParam() + "\n" + kMounted +
                   "for i in {1..40}; do mkdir $i; head -c $((i * 9999)) /dev/zero "
                   ">$i/f; done\n" +
                   kMountedAnew +
                   "for i in {1..40}; do cat $i/f >/dev/null; date +%s%N; done; ls -R | wc\n"
                   "date +%s%N\n");
  };
  const std::string first = took();
  EXPECT_EQ(took(), first);
}

INSTANTIATE_TEST_SUITE_P(FileSystems, ReadTime, testing::Values("ext4", "xfs"),
                         [](const auto& of) { return of.param; });

}  // namespace
}  // namespace sim::guest
