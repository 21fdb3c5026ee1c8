#include "orchestrator/instance/volume_hop.h"

#include <gtest/gtest.h>

#include <chrono>

#include "orchestrator/failure.h"
#include "orchestrator/instance/hop_world_for_test.h"
#include "orchestrator/job/training_progress.h"

namespace spotrun {
namespace {

using testing::changes_of_a_hop;
using testing::Crash;
using testing::HopWorld;

TEST(VolumeHop, SameZoneAttachesTheVolumeAndMakesNothing) {
  HopWorld world;
  ASSERT_TRUE(world.boot("us-west-2b"));
  world.expect_settled(1);
  EXPECT_EQ(world.attached_volume()->id, world.old);
  EXPECT_EQ(world.ec2.calls, (std::vector<std::string>{"CreateTags", "AttachVolume"}));
}

TEST(VolumeHop, OtherZoneMovesDataAndTagsThroughASnapshotOf25Minutes) {
  HopWorld world;
  ASSERT_TRUE(world.boot("us-west-2a"));
  world.expect_settled(1);
  EXPECT_EQ(world.attached_volume()->zone, "us-west-2a");
}

TEST(VolumeHop, OldVolumeIsDeletedOnlyAfterTheNewOneIsAttachedAndTagged) {
  HopWorld world;
  world.ec2.around = [&](int, bool) {
    if (world.ec2.volumes[world.old].state == "deleting") {
      ASSERT_NE(world.attached_volume(), nullptr);
      EXPECT_EQ(world.attached_volume()->attachment, "attached");
      EXPECT_EQ(world.attached_volume()->tags["Name"], "data");
    }
  };
  ASSERT_TRUE(world.boot("us-west-2a"));
}

// The claim of the design: a second interruption at any point leaves the data reachable. A rerun in
// a third zone, in the same zone or in the first zone ends with exactly one tagged volume.
TEST(VolumeHop, InterruptedAtEveryStepARerunAnywhereFinishes) {
  const int steps = changes_of_a_hop();
  ASSERT_GT(steps, 8);
  for (int step = 0; step < steps; ++step) {
    for (const bool after : {false, true}) {
      for (const char* zone : {"us-west-2a", "us-west-2b", "us-west-2c"}) {
        SCOPED_TRACE(::testing::Message() << "step " << step << (after ? " done" : " not done")
                                          << ", rerun in " << zone);
        HopWorld world;
        world.crash_at(step, after);
        ASSERT_FALSE(world.boot("us-west-2a"));
        world.no_more_crashes();
        ASSERT_TRUE(world.boot(zone));
        world.expect_settled(1);
      }
    }
  }
}

TEST(VolumeHop, InterruptedTwiceInThreeZonesStillFinishes) {
  const int steps = changes_of_a_hop();
  for (int first = 0; first < steps; ++first) {
    for (int second = 0; second < steps; ++second) {
      SCOPED_TRACE(::testing::Message() << "steps " << first << " and " << second);
      HopWorld world;
      world.crash_at(first, true);
      ASSERT_FALSE(world.boot("us-west-2a"));
      world.crash_at(second, true);
      if (world.boot("us-west-2c")) world.ec2.terminate(world.last);
      world.no_more_crashes();
      ASSERT_TRUE(world.boot("us-west-2d"));
      world.expect_settled(1);
    }
  }
}

// The new data must win, although a snapshot and a new volume with old data exist.
TEST(VolumeHop, SnapshotFromBeforeTheLastWriteIsNeverUsed) {
  const int steps = changes_of_a_hop();
  int written = 0;
  for (int step = 0; step < steps; ++step) {
    SCOPED_TRACE(::testing::Message() << "step " << step);
    HopWorld world;
    world.crash_at(step, true);
    ASSERT_FALSE(world.boot("us-west-2a"));
    world.no_more_crashes();
    // An instance in the old zone continues to train, but ends before it can clean up.
    auto& old = world.ec2.volumes[world.old];
    world.ec2.around = [&](int, bool) {
      if (old.holder == world.last && old.attachment == "attached") throw Crash();
    };
    world.boot("us-west-2b");
    world.no_more_crashes();
    if (old.state != "in-use") continue;  // the hop was complete, and its new volume is the job's
    ++written;
    old.content = 2;
    world.ec2.terminate(world.last);
    ASSERT_TRUE(world.boot("us-west-2a"));
    world.expect_settled(2);
  }
  EXPECT_GE(written, 3);
}

TEST(VolumeHop, UnfinishedHopIsAdoptedAndNotBegunAgain) {
  HopWorld world;
  world.ec2.around = [&](int, bool after) {
    if (after && world.ec2.calls.back() == "CreateSnapshot") throw Crash();
  };
  ASSERT_FALSE(world.boot("us-west-2a"));
  world.no_more_crashes();
  ASSERT_TRUE(world.boot("us-west-2c"));
  EXPECT_EQ(std::count(world.ec2.calls.begin(), world.ec2.calls.end(), "CreateSnapshot"), 1);
}

TEST(VolumeHop, WaitsForADyingHolder) {
  HopWorld world;
  ASSERT_TRUE(world.boot("us-west-2b"));
  world.ec2.terminate(world.last);
  ASSERT_TRUE(world.boot("us-west-2a"));
  world.expect_settled(1);
}

TEST(VolumeHop, WaitsForAHolderThatIsMarkedForInterruption) {
  HopWorld world;
  ASSERT_TRUE(world.boot("us-west-2b"));
  auto& holder = world.ec2.instances[world.last];
  holder.spot_request = "sir-1";
  holder.spot_status = "instance-terminated-no-capacity";
  world.clock.on_sleep = [&, begin = world.clock.time] {
    if (world.clock.time - begin > std::chrono::minutes{15} && holder.state == "running") {
      world.ec2.terminate(holder.id);
    }
  };
  ASSERT_TRUE(world.boot("us-west-2b"));
  world.expect_settled(1);
}

TEST(VolumeHop, RefusesAVolumeWhoseHolderRunsOn) {
  HopWorld world;
  ASSERT_TRUE(world.boot("us-west-2b"));
  try {
    world.boot("us-west-2a");
    FAIL() << "took a volume that another instance works on";
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.code, ExitCode::kVolumeHeld);
  }
  EXPECT_TRUE(world.ec2.snapshots.empty());
}

TEST(VolumeHop, RefusesSeveralVolumesThatNoHopExplains) {
  HopWorld world;
  world.ec2.add_volume("us-west-2a", {{"Name", "data"}}, 5);
  try {
    world.boot("us-west-2a");
    FAIL() << "chose one of two volumes";
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.code, ExitCode::kVolume);
    EXPECT_NE(std::string(failure.what()).find(world.old), std::string::npos);
  }
  EXPECT_TRUE(world.ec2.calls.empty());
}

// Repeats a request, or restores a backup with all tags. `world` stops after this step and
// continues in `zone`.
void expect_copy_ignored(HopWorld& world, int step, const char* zone) {
  SCOPED_TRACE(::testing::Message() << "copied after step " << step << ", rerun in " << zone);
  world.crash_at(step, true);
  EXPECT_FALSE(world.boot("us-west-2a"));
  world.no_more_crashes();
  world.clock.time += std::chrono::seconds{1};
  std::vector<std::string> copies;
  for (const auto* volume : world.ec2.live_volumes())
    copies.push_back(world.ec2.add_volume(volume->zone, volume->tags, 9).id);
  ASSERT_TRUE(world.boot(zone));
  world.ec2.terminate(world.last);
  ASSERT_TRUE(world.boot(zone)) << "after the volume was attached again";
  // The tag of a hop shows that spotrun made the volume, and spotrun deletes it.
  const auto& first = world.ec2.volumes[copies[0]];
  EXPECT_TRUE(first.state == "available" || first.tags.contains(tags::kHopOf)) << first.state;
  for (const std::string& copy : copies) world.ec2.volumes.erase(copy);
  world.expect_settled(1);
}

TEST(VolumeHop, ACopyOfTheVolumeIsNeverTakenForTheVolume) {
  for (const char* zone : {"us-west-2a", "us-west-2b", "us-west-2c"}) {
    for (int step = 0; step < changes_of_a_hop(); ++step) {
      HopWorld world;
      expect_copy_ignored(world, step, zone);
    }
  }
}

TEST(VolumeHop, OfTwoEqualBlankVolumesAllTakeTheOlderOne) {
  HopWorld world;
  world.clock.time += std::chrono::seconds{1};
  world.ec2.add_volume("us-west-2b", {{"Name", "data"}, {"owner", "me"}}, 1);
  ASSERT_TRUE(world.boot("us-west-2b"));
  EXPECT_EQ(world.attached_volume()->id, world.old);
}

TEST(VolumeHop, RefusesTwoVolumesThatInstancesHaveUsed) {
  HopWorld world;
  world.clock.time += std::chrono::seconds{1};
  ASSERT_TRUE(world.boot("us-west-2b"));
  auto& other = world.ec2.add_volume("us-west-2b", {{"Name", "data"}}, 5);
  other.tags[tags::kGeneration] = iso_time(world.clock.time + std::chrono::hours{1}) + " i-9";
  EXPECT_THROW(world.boot("us-west-2b"), Failure);
}

TEST(VolumeHop, AVolumeThatIsBeingDeletedDoesNotCount) {
  HopWorld world;
  auto& gone = world.ec2.add_volume("us-west-2a", {{"Name", "data"}}, 5);
  gone.state = "deleting";
  gone.ready = world.clock.time + std::chrono::minutes{10};
  EXPECT_TRUE(world.boot("us-west-2b"));
  EXPECT_EQ(world.attached_volume()->id, world.old);
}

TEST(VolumeHop, NoVolumeIsWaitedForAndThenAFailure) {
  HopWorld world;
  world.ec2.volumes.clear();
  const Time begin = world.clock.time;
  EXPECT_THROW(world.boot("us-west-2a"), Failure);
  EXPECT_GE(world.clock.time - begin, std::chrono::minutes{2});
}

// An earlier attempt has made it, and it is still `creating` when the rerun finds it.
TEST(VolumeHop, ANewVolumeThatComesOutInErrorIsMadeAgain) {
  HopWorld world;
  world.ec2.around = [&](int, bool after) {
    if (after && world.ec2.calls.back() == "CreateVolume") throw Crash();
  };
  ASSERT_FALSE(world.boot("us-west-2a"));
  world.no_more_crashes();
  testing::FakeVolume* broken = nullptr;
  for (auto* volume : world.ec2.live_volumes()) {
    if (volume->id != world.old) broken = volume;
  }
  ASSERT_NE(broken, nullptr);
  broken->ready = world.clock.time + std::chrono::hours{1};
  world.clock.on_sleep = [&, begin = world.clock.time] {
    if (world.clock.time - begin > std::chrono::hours{2}) throw Crash();  // waits for ever
    if (broken->state == "creating") broken->state = "error";
  };
  EXPECT_THROW(world.boot("us-west-2a"), TryAgain);
  ASSERT_TRUE(world.boot("us-west-2a"));
  world.expect_settled(1);
}

}  // namespace
}  // namespace spotrun
