#include "orchestrator/instance/volume_hop.h"

#include <gtest/gtest.h>

#include <functional>

#include "orchestrator/failure.h"
#include "orchestrator/fake_ec2_for_test.h"
#include "orchestrator/job/tags.h"
#include "orchestrator/job/training_progress.h"

namespace spotrun {
namespace {

using testing::Crash;
using testing::FakeClock;
using testing::FakeEc2;
using testing::FakeProcess;

// A volume with content 1 in us-west-2b, and instances that come and go.
struct HopWorld {
  HopWorld() { old = ec2.add_volume("us-west-2b", {{"Name", "data"}, {"owner", "me"}}, 1).id; }

  // An instance boots in the zone and brings the volume; killed by a crash, it terminates.
  // True when it came to its end.
  bool boot(const std::string& zone) {
    const testing::FakeInstance& instance = ec2.add_instance(zone);
    last = instance.id;
    FakeProcess process(clock, ec2);
    try {
      bring_volume(process.context, job, identity_of(instance));
      return true;
    } catch (const Crash&) {
      ec2.terminate(instance.id);
      return false;
    }
  }

  // The same, again after what can pass.
  void settle(const std::string& zone) {
    for (int tries = 0; tries < 5; ++tries) {
      try {
        ASSERT_TRUE(boot(zone));
        return;
      } catch (const TryAgain&) {
        ec2.terminate(last);
      }
    }
    FAIL() << "tried again and again";
  }

  // A crash before or after the effect of the n-th change from now on.
  void crash_at(int n, bool after_effect) {
    const int from = static_cast<int>(ec2.calls.size());
    ec2.around = [=](int call, bool after) {
      if (call == from + n && after == after_effect) throw Crash();
    };
  }
  void no_more_crashes() {
    ec2.around = [](int, bool) {};
  }

  testing::FakeVolume* attached_volume() {
    for (auto* volume : ec2.live_volumes()) {
      if (volume->holder == last) return volume;
    }
    return nullptr;
  }

  // One live volume, with the job's tag, attached to the last instance; nothing else is left.
  void expect_settled(int content) {
    const auto live = ec2.live_volumes();
    ASSERT_EQ(live.size(), 1u);
    EXPECT_EQ(live[0]->holder, last);
    EXPECT_EQ(live[0]->attachment, "attached");
    EXPECT_EQ(live[0]->content, content);
    EXPECT_EQ(live[0]->tags["Name"], "data");
    EXPECT_EQ(live[0]->tags["owner"], "me");
    EXPECT_FALSE(live[0]->tags.contains(tags::kHopOf));
    EXPECT_FALSE(live[0]->tags.contains(tags::kHopGeneration));
    EXPECT_TRUE(ec2.snapshots.empty());
  }

  FakeClock clock;
  FakeEc2 ec2{clock};
  Job job = testing::test_job();
  std::string old, last;
};

int changes_of_a_hop() {
  HopWorld world;
  EXPECT_TRUE(world.boot("us-west-2a"));
  return static_cast<int>(world.ec2.calls.size());
}

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

// The claim of the design: a second interruption at any point leaves the data reachable, and a
// rerun in yet another zone, in the same, or back in the first one ends with exactly one tagged
// volume.
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

// The new data must win although a snapshot and a new volume of the old data are lying about.
TEST(VolumeHop, SnapshotFromBeforeTheLastWriteIsNeverUsed) {
  const int steps = changes_of_a_hop();
  int written = 0;
  for (int step = 0; step < steps; ++step) {
    SCOPED_TRACE(::testing::Message() << "step " << step);
    HopWorld world;
    world.crash_at(step, true);
    ASSERT_FALSE(world.boot("us-west-2a"));
    world.no_more_crashes();
    // An instance in the old zone trains on, but dies before it gets to tidy up.
    auto& old = world.ec2.volumes[world.old];
    world.ec2.around = [&](int, bool) {
      if (old.holder == world.last && old.attachment == "attached") throw Crash();
    };
    world.boot("us-west-2b");
    world.no_more_crashes();
    if (old.state != "in-use") continue;  // the hop was so far that its new volume is the job's
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

// As by a request that was repeated, or by a restore from a backup with all tags. `world` stops
// after this step, and goes on in `zone`.
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
  // By the tag of a hop spotrun knows that it made the volume, and deletes it.
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

// Made by an earlier attempt and still `creating` when the rerun finds it.
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

// Ends the instance after each change of a hop, lets `fail` break volumes, and reruns the hop in
// each zone, which must settle. Returns how many volumes failed.
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

// The state is in the snapshot of the hop from its beginning on, and nowhere else.
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

// As of a machine whose hardware fails with the volumes that are attached to it.
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

// Right after the new volume has got the job's tag.
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

// The volume has failed; of its backups the second is the newest that is complete.
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
  EXPECT_THROW(world.boot("us-west-2a"), TryAgain);  // whoever tries again is told why not:
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
