// What writing to a volume costs, whichever program writes and in whatever way it is made durable.
#include <algorithm>

#include "sim/guest/process/host_for_test.h"
#include "sim/guest/time/lockstep.h"

namespace sim::guest {
namespace {

using cloud::VolumeState;
using test::HostWorld;

// Whole tenths of a second that `timed` takes after `before`, on a new gp2 volume (128 MiB/s).
std::string tenths(const std::string& before, const std::string& timed) {
  HostWorld w(Level::kRoot, true);
  const auto volume = w.new_volume();
  const auto id = w.launch(
      "while [ ! -b /dev/xvdf ]; do sleep 1; done; mkdir /data; mkfs.ext4 -q /dev/xvdf\n"
      "mount /dev/xvdf /data; cd /data; sync; sleep 1\n" +
      before + "\nbegin=$(date +%s%N)\n" + timed +
      "\necho $(( ($(date +%s%N) - begin) / 100000000 ))\n");
  EXPECT_TRUE(w.wait(id, cloud::InstanceState::kRunning));
  EXPECT_TRUE(w.wait(volume, VolumeState::kAvailable));
  w.cloud.attach_volume(volume, id, "/dev/sdf");
  EXPECT_TRUE(w.wait("guest.exit")) << w.lines;
  return w.console(id.value);
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

}  // namespace
}  // namespace sim::guest
