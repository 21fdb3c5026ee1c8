// The places of a guest's files on its volume.
#include <sched.h>

#include <algorithm>

#include "sim/guest/process/host_for_test.h"
#include "sim/guest/time/lockstep.h"

namespace sim::guest {
namespace {

using cloud::VolumeState;
using test::HostWorld;

// Several processors write small files, as the kernel's threads do at a sync. The files must follow
// each other, because the first reads of a restored volume take time by place.
TEST(BlockPlacement, OnExt4DoesNotDependOnTheProcessor) {
  const std::string why = obstacle(Level::kRoot);
  if (!why.empty()) GTEST_SKIP() << "no root sandbox here: " << why;
  cpu_set_t permitted{};
  ASSERT_EQ(sched_getaffinity(0, sizeof permitted, &permitted), 0);
  if (!CPU_ISSET(0, &permitted) || !CPU_ISSET(1, &permitted))
    GTEST_SKIP() << "not permitted on CPU 0 and CPU 1";

  HostWorld w(Level::kRoot);
  const auto volume = w.cloud.create_volume({"us-west-2a", 4, "gp2", {}, {}});
  const auto id = w.launch(
      "while [ ! -b /dev/xvdf ]; do sleep 1; done; mkdir /data; mkfs.ext4 -q /dev/xvdf\n"
      "mount /dev/xvdf /data; cd /data\n"
      "for i in 0 1 2 3; do taskset -c $((i % 2)) "
      "sh -c \"head -c 20000 /dev/urandom >$i; sync $i\"; done\n"
      "for i in 0 1 2 3; do filefrag -v $i | awk '/^ +0:/ {print $4 + 0}'; done |\n"
      "awk 'NR > 1 {print $1 - before} {before = $1}'\n");
  ASSERT_TRUE(w.wait(id, cloud::InstanceState::kRunning));
  ASSERT_TRUE(w.wait(volume, VolumeState::kAvailable));
  w.cloud.attach_volume(volume, id, "/dev/sdf");
  ASSERT_TRUE(w.wait("guest.exit")) << w.lines;
  EXPECT_EQ(w.console(id.value), "5\n5\n5\n") << "blocks from each file to the next";
}

// The same for the writes of a sync and of an unmount, which the kernel does in its own threads.
TEST(BlockPlacement, IsTheSameInEachRun) {
  const std::string why = obstacle(Level::kRoot);
  if (!why.empty()) GTEST_SKIP() << "no root sandbox here: " << why;
  if (!lockstep_permitted()) GTEST_SKIP() << "no SCHED_FIFO here";
  const auto places = [] {
    HostWorld w(Level::kRoot, true);
    const auto volume = w.cloud.create_volume({"us-west-2a", 4, "gp2", {}, {}});
    const auto id = w.launch(
        "while [ ! -b /dev/xvdf ]; do sleep 1; done; mkdir /data; mkfs.ext4 -q /dev/xvdf\n"
        "mount /dev/xvdf /data\n"
        "for folder in {1..8}; do mkdir /data/$folder\n"
        "for i in {1..9}; do head -c $((i * 6000)) /dev/urandom >/data/$folder/$i; done\n"
        "[ $folder -ne 3 ] || sync; [ $folder -ne 6 ] || { umount /data; mount /dev/xvdf /data; }\n"
        "done; sync; find /data -type f | sort | xargs filefrag -v | awk '/^ +[0-9]+:/ {print "
        "$4}'\n");
    EXPECT_TRUE(w.wait(id, cloud::InstanceState::kRunning));
    EXPECT_TRUE(w.wait(volume, VolumeState::kAvailable));
    w.cloud.attach_volume(volume, id, "/dev/sdf");
    EXPECT_TRUE(w.wait("guest.exit")) << w.lines;
    return w.console(id.value);
  };
  const std::string first = places();
  EXPECT_GT(std::ranges::count(first, '\n'), 70) << first;
  EXPECT_EQ(places(), first);
}

}  // namespace
}  // namespace sim::guest
