// Volumes that fail before, during and after a hop.
#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <string>

#include "orchestrator/failure.h"
#include "orchestrator/instance/hop_world_for_test.h"
#include "orchestrator/job/tags.h"
#include "orchestrator/job/training_progress.h"

namespace spotrun {
namespace {

using testing::changes_of_a_hop;
using testing::Crash;
using testing::HopWorld;

// Ends the instance after each change of a hop, and lets `fail` break volumes. Then reruns the hop
// in each zone, which must complete. Returns how many volumes failed.
int fail_between_hops(const std::function<int(HopWorld&)>& fail) {
  const int steps = changes_of_a_hop();
  int failed = 0;
  for (int step = 0; step < steps; ++step) {
    for (const char* zone : {"us-west-2a", "us-west-2b", "us-west-2c"}) {
      SCOPED_TRACE(::testing::Message() << "after step " << step << ", rerun in " << zone);
      HopWorld world;
      world.crash_at(step, true);
      EXPECT_FALSE(world.boot("us-west-2a"));
      world.no_more_crashes();
      failed += fail(world);
      world.settle(zone);
      world.expect_settled(1);
    }
  }
  return failed;
}

// From the hop's start, only its snapshot has the state.
TEST(VolumeHop, AnOldVolumeThatFailsDuringTheHopIsMadeAnewFromTheHopsSnapshot) {
  const int failed = fail_between_hops([](HopWorld& world) {
    auto& old = world.ec2.volumes[world.old];
    if (old.state != "available" || world.ec2.snapshots.empty()) return 0;
    old.state = "error";
    return 1;
  });
  EXPECT_GE(failed, 9);
}

TEST(VolumeHop, ANewVolumeThatFailsIsMadeAgainAsLongAsTheSnapshotIsThere) {
  const int failed = fail_between_hops([](HopWorld& world) {
    int volumes = 0;
    for (auto& [id, volume] : world.ec2.volumes)
      if (id != world.old && !world.ec2.snapshots.empty()) ++volumes, volume.state = "error";
    return volumes;
  });
  EXPECT_GE(failed, 12);
}

// A machine's hardware fails together with its attached volumes.
TEST(VolumeHop, ANewVolumeThatFailsWithItsInstanceIsMadeAgain) {
  HopWorld world;
  world.ec2.around = [&](int, bool after) {
    if (after && world.ec2.calls.back() == "CreateTags" && world.attached_volume() &&
        world.attached_volume()->tags.contains("Name"))
      throw Crash();
  };
  ASSERT_FALSE(world.boot("us-west-2a"));
  world.no_more_crashes();
  for (auto& [id, volume] : world.ec2.volumes)
    if (id != world.old) volume.fails = true;
  world.settle("us-west-2c");
  world.expect_settled(1);
}

TEST(VolumeHop, ALeftoverThatCannotBeDeletedEndsNoJobAndIsDeletedByTheNextInstance) {
  for (const char* action : {"DeleteVolume", "DeleteSnapshot", "DeleteTags"}) {
    SCOPED_TRACE(action);
    HopWorld world;
    world.ec2.refuse[action] = "UnauthorizedOperation";
    ASSERT_TRUE(world.boot("us-west-2a"));
    EXPECT_EQ(world.attached_volume()->zone, "us-west-2a");
    world.ec2.refuse.clear();
    world.ec2.terminate(world.last);
    ASSERT_TRUE(world.boot("us-west-2a"));
    world.expect_settled(1);
  }
}

// The failure strikes right after the new volume has got the job's tag.
TEST(VolumeHop, TheOldVolumeLosesItsTagEvenIfEc2RefusesToDescribeIt) {
  HopWorld world;
  world.ec2.around = [&](int, bool after) {
    const auto* const fresh = world.attached_volume();
    if (after && fresh && fresh->id != world.old && fresh->tags.contains("Name"))
      world.ec2.refuse["DescribeVolumes"] = "UnauthorizedOperation";
  };
  ASSERT_TRUE(world.boot("us-west-2a"));
  EXPECT_FALSE(world.ec2.volumes[world.old].tags.contains("Name"));
  world.no_more_crashes();
  world.ec2.refuse.clear();
  world.ec2.terminate(world.last);
  ASSERT_TRUE(world.boot("us-west-2a"));
  world.expect_settled(1);
}

// EC2 shows tags late.
TEST(VolumeHop, ASnapshotWhoseTagsAreNotSeenYetIsDeletedAllTheSame) {
  HopWorld world;
  world.ec2.around = [&](int, bool after) {
    if (after && world.ec2.calls.back() == "CreateSnapshot")
      for (auto& [id, snapshot] : world.ec2.snapshots) snapshot.tags.clear();
  };
  ASSERT_TRUE(world.boot("us-west-2a"));
  world.expect_settled(1);
}

TEST(VolumeHop, AVolumeInErrorIsAFailure) {
  HopWorld world;
  world.ec2.volumes[world.old].state = "error";
  EXPECT_THROW(world.boot("us-west-2b"), Failure);
}

// The volume has failed. The second of its backups is the newest complete one.
struct LostVolume : HopWorld {
  LostVolume() {
    ec2.volumes[old].state = "error";
    backup("snap-1", "completed", 5);
    backup("snap-2", "completed", 7);
    backup("snap-3", "pending", 9);
    ec2.snapshots["snap-4"] = {
        .id = "snap-4", .volume = old, .state = "completed", .content = 11, .tags = {}};
  }
  void backup(const std::string& id, const std::string& state, int content) {
    ec2.snapshots[id] = {.id = id,
                         .volume = old,
                         .state = state,
                         .started = clock.time - std::chrono::minutes(20 - content),
                         .ready = clock.time + std::chrono::hours(1),
                         .content = content,
                         .tags = {{"Name", "data"}}};
  }
  void expect_restored() {
    EXPECT_EQ(ec2.snapshots.size(), 4u);
    ec2.snapshots.clear();
    expect_settled(7);
  }
};

TEST(VolumeHop, AFailedVolumeIsMadeAnewFromItsNewestCompleteBackup) {
  for (const char* zone : {"us-west-2a", "us-west-2b"}) {
    LostVolume world;
    ASSERT_TRUE(world.boot(zone));
    EXPECT_EQ(world.attached_volume()->zone, zone);
    world.expect_restored();
  }
}

TEST(VolumeHop, WhatMayHaveBeenDoneSinceTheBackupIsDoneAgain) {
  LostVolume world;
  const std::string trained = tags::kTrained;
  auto& noted = world.ec2.volumes[world.old].tags;
  noted[tags::kTrainsSince] = "2019-11-05T00:00:00.000Z i-1";
  noted[trained + "p3.2xlarge"] = "7200.000s";
  noted[trained + "p2.xlarge"] = "60.000s";
  noted[tags::kSaved] = iso_time(world.clock.time);
  world.clock.time += std::chrono::minutes(40);  // idle
  ASSERT_TRUE(world.boot("us-west-2a"));
  aws::Volume volume;
  volume.tags = world.attached_volume()->tags;
  Progress progress = read_progress(volume);
  EXPECT_EQ(progress.trains_on, "");
  EXPECT_EQ(progress.trained["p3.2xlarge"], std::chrono::minutes(120 - 13));
  EXPECT_EQ(progress.trained["p2.xlarge"], Duration::zero());
}

TEST(VolumeHop, WhatWasDoneBeforeTheBackupStaysDone) {
  LostVolume world;
  const std::string key = std::string(tags::kTrained) + "p3.2xlarge";
  auto& noted = world.ec2.volumes[world.old].tags;
  noted[key] = "7200.000s";
  noted[tags::kSaved] = iso_time(world.clock.time - std::chrono::minutes(14));
  ASSERT_TRUE(world.boot("us-west-2a"));
  EXPECT_EQ(world.attached_volume()->tags[key], "7200.000s");
}

TEST(VolumeHop, TheSameBackupTakesWorkBackOnce) {
  aws::Tags noted{{std::string(tags::kTrained) + "p3.2xlarge", "7200.000s"},
                  {tags::kSaved, "2019-11-05T03:00:00.000Z"}};
  const Time backup = *parse_iso_time("2019-11-05T02:00:00Z");
  for (int times = 0; times < 2; ++times) take_back_progress(noted, backup);
  EXPECT_EQ(noted[std::string(tags::kTrained) + "p3.2xlarge"], "3600.000s");
}

TEST(VolumeHop, MakingItAnewMayBeInterruptedAtEveryStep) {
  LostVolume whole;
  ASSERT_TRUE(whole.boot("us-west-2a"));
  const int steps = static_cast<int>(whole.ec2.calls.size());
  ASSERT_GT(steps, 5);
  for (int step = 0; step < steps; ++step) {
    for (const bool after : {false, true}) {
      for (const char* zone : {"us-west-2a", "us-west-2b"}) {
        SCOPED_TRACE(::testing::Message() << "step " << step << (after ? " done" : " not done")
                                          << ", rerun in " << zone);
        LostVolume world;
        world.crash_at(step, after);
        ASSERT_FALSE(world.boot("us-west-2a"));
        world.no_more_crashes();
        ASSERT_TRUE(world.boot(zone));
        world.expect_restored();
      }
    }
  }
}

// As LostVolume, but no backup is complete yet.
struct LostBeforeItsBackup : LostVolume {
  LostBeforeItsBackup() {
    ec2.snapshots.erase("snap-1");
    ec2.snapshots.erase("snap-2");
  }
};

TEST(VolumeHop, ABackupThatIsPendingIsWaitedForWhereNoneIsComplete) {
  LostBeforeItsBackup world;
  const Time before = world.clock.time;
  ASSERT_TRUE(world.boot("us-west-2a"));
  EXPECT_GE(world.clock.time - before, std::chrono::hours(1));
  world.ec2.snapshots.clear();
  world.expect_settled(9);
}

TEST(VolumeHop, ABackupThatFailsWhileItIsWaitedForGivesWayToAnother) {
  LostBeforeItsBackup world;
  world.backup("snap-2", "pending", 7);
  world.ec2.snapshots["snap-3"].fails = true;
  ASSERT_TRUE(world.boot("us-west-2a"));
  world.ec2.snapshots.clear();
  world.expect_settled(7);
}

TEST(VolumeHop, AFailedVolumeWhoseOnlyBackupFailsHasNone) {
  LostBeforeItsBackup world;
  world.ec2.snapshots["snap-3"].fails = true;
  EXPECT_THROW(world.boot("us-west-2a"), TryAgain);  // the next attempt reports the reason:
  EXPECT_THROW(world.boot("us-west-2a"), Failure);
  EXPECT_EQ(world.ec2.volumes.size(), 1u);
}

TEST(VolumeHop, AFailedVolumeWithoutABackupIsAnError) {
  LostBeforeItsBackup world;
  world.ec2.snapshots["snap-3"].state = "error";
  EXPECT_THROW(world.boot("us-west-2a"), Failure);
  EXPECT_EQ(world.ec2.volumes.size(), 1u);
}

}  // namespace
}  // namespace spotrun
