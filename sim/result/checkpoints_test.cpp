#include "sim/result/checkpoints.h"

#include <gtest/gtest.h>

#include "sim/events/read.h"
#include "sim/result/history_builder.h"

namespace sim::result {
namespace {

struct LogOfSaves {
  LogOfSaves& line(const std::string& kind, Json fields) {
    lines.push_back({at += 1s, kind, std::move(fields)});
    return *this;
  }
  History history() const {
    events::Listeners log;
    HistoryBuilder builder;
    builder.listen(log);
    for (const Event& event : lines) events::tell(log, event);
    return builder.history();
  }
  Evidence found() const { return history().checkpoints.found(); }
  std::optional<std::int64_t> newest_durable(std::string_view broken = {}) const {
    return history().newest_durable(broken);
  }
  std::vector<std::string> holders_of(std::int64_t step) const {
    return history().checkpoints.holders_of(step);
  }
  // A trainer on i-1 saves a step to a file on `disk`; with "" it names no file.
  LogOfSaves& saves(std::int64_t step, const std::string& disk) {
    Json fields{{"instance_id", "i-1"}, {"step", step}};
    if (!disk.empty()) fields["path"] = "/data/model", fields["disk"] = disk;
    return line("trainer.checkpoint-durable", fields);
  }
  LogOfSaves& volume(const std::string& id, const std::string& from, const std::string& to,
                     const std::string& snapshot = "") {
    return line("volume.state",
                {{"volume_id", id}, {"from", from}, {"to", to}, {"snapshot_id", snapshot}});
  }
  LogOfSaves& snapshot(const std::string& id, const std::string& of, const std::string& from,
                       const std::string& to) {
    return line("snapshot.state",
                {{"snapshot_id", id}, {"from", from}, {"to", to}, {"volume_id", of}});
  }
  LogOfSaves& ends(const std::string& instance) {
    return line("instance.state", {{"instance_id", instance}, {"to", "terminated"}});
  }
  std::vector<std::string> on() const { return found().on; }
  Time at{};
  std::vector<Event> lines;
};

using On = std::vector<std::string>;

TEST(Evidence, WithoutACheckpointIsUnknown) {
  const Evidence e = LogOfSaves().found();
  EXPECT_EQ(e.kept, std::nullopt);
  EXPECT_EQ(e.why, "no checkpoint was reported");
}

// i-1 saves step 7 on its root disk and copies it to a bucket.
LogOfSaves copied() {
  LogOfSaves told;
  told.saves(7, "root");
  told.line("object.stored", {{"bucket", "b"}, {"key", "k"}});
  return told.line(
      "checkpoint.copied",
      {{"instance_id", "i-1"}, {"step", 7}, {"path", "/data/model"}, {"uri", "s3://b/k"}});
}

TEST(Evidence, ACopyInABucketIsTheCheckpoint) {
  LogOfSaves told = copied();
  EXPECT_EQ(told.ends("i-1").on(), On{"s3://b/k"});
  EXPECT_EQ(told.found().kept, true);
  EXPECT_EQ(told.newest_durable(), 7);
  EXPECT_EQ(told.line("object.removed", {{"bucket", "b"}, {"key", "k"}}).found().kept, false);
}

TEST(Evidence, AnotherObjectInItsPlaceIsNoCopy) {
  LogOfSaves told = copied();
  const Evidence e =
      told.line("object.stored", {{"bucket", "b"}, {"key", "k"}}).ends("i-1").found();
  EXPECT_EQ(e.kept, false);
  EXPECT_EQ(told.newest_durable(), std::nullopt);
}

TEST(Evidence, WhereCopiesAreStatedARootDiskAloneIsNotDurable) {
  LogOfSaves told;
  told.line("run.start", {{"copies", "s3://b/"}}).saves(7, "root");
  EXPECT_EQ(told.newest_durable(), std::nullopt);
  EXPECT_EQ(told.saves(8, "vol-1").newest_durable(), 8);
}

TEST(Evidence, ACheckpointLoggedInABucketIsDurableThere) {
  LogOfSaves told;
  told.line("object.stored", {{"bucket", "b"}, {"key", "k"}});
  told.line("trainer.checkpoint-written",
            {{"instance_id", "i-1"}, {"step", 5}, {"path", "s3://b/k"}});
  EXPECT_EQ(told.newest_durable(), 5);
  EXPECT_EQ(told.history().checkpoints.written_back.step, 5);
}

TEST(Evidence, OfACheckpointOnAVolumeIsTheVolume) {
  const Evidence e = LogOfSaves().saves(7, "vol-1").ends("i-1").found();
  EXPECT_EQ(e.kept, true);
  EXPECT_EQ(e.step, 7);
  EXPECT_EQ(e.path, "/data/model");
  EXPECT_EQ(e.on, On{"vol-1"});
}

TEST(Evidence, OnTheRootDiskGoesWithTheInstance) {
  LogOfSaves told;
  EXPECT_EQ(told.saves(7, "root").found().kept, false);
  const Evidence e = told.ends("i-2").ends("i-1").found();
  EXPECT_EQ(e.kept, false);
  EXPECT_EQ(e.why,
            "the checkpoint of step 7 (/data/model) was on the root disk of i-1, which ended at "
            "00:00:03");
}

TEST(Evidence, OfAVolumeThatIsDeletedOrFailsIsGone) {
  EXPECT_EQ(LogOfSaves().saves(7, "vol-1").volume("vol-1", "available", "deleting").found().why,
            "the checkpoint of step 7 (/data/model) was on vol-1, which was deleted at 00:00:02");
  EXPECT_EQ(LogOfSaves().saves(7, "vol-1").volume("vol-1", "in-use", "error").found().kept, false);
}

TEST(Evidence, SnapshotsTakenAfterwardsKeepItAndEarlierOnesDoNot) {
  LogOfSaves early, late;
  early.snapshot("snap-1", "vol-1", "", "pending").saves(7, "vol-1");
  EXPECT_EQ(early.volume("vol-1", "available", "deleting").found().kept, false);
  late.saves(7, "vol-1").snapshot("snap-1", "vol-1", "", "pending");
  EXPECT_EQ(late.volume("vol-1", "available", "deleting").on(), On{"snap-1"});
  EXPECT_EQ(late.snapshot("snap-1", "vol-1", "completed", "deleted").found().kept, false);
}

TEST(Evidence, ACopiedSnapshotHasTheCheckpointOfItsOriginal) {
  const auto copy = [](LogOfSaves& told) -> LogOfSaves& {
    return told.line("snapshot.state", {{"snapshot_id", "snap-2"},
                                        {"from", ""},
                                        {"to", "pending"},
                                        {"volume_id", "vol-1"},
                                        {"copy_of", "snap-1"}});
  };
  LogOfSaves late;
  late.saves(7, "vol-1").snapshot("snap-1", "vol-1", "", "pending");
  late.volume("vol-1", "available", "deleted");
  copy(late).snapshot("snap-1", "vol-1", "completed", "deleted");
  EXPECT_EQ(late.on(), On{"snap-2"});
  LogOfSaves early;
  early.snapshot("snap-1", "vol-1", "", "pending").saves(7, "vol-1");
  copy(early).volume("vol-1", "available", "deleted");
  EXPECT_EQ(early.found().kept, false);
}

TEST(Evidence, InABucketIsTheObjectAsLongAsItIsThere) {
  const auto object = [](LogOfSaves& told, const std::string& what,
                         const std::string& key) -> LogOfSaves& {
    return told.line("object." + what, {{"bucket", "b"}, {"key", key}});
  };
  const Json saved{{"instance_id", "i-1"}, {"step", 7}, {"path", "s3://b/job/step-7"}};
  LogOfSaves told;
  object(object(told, "stored", "job/step-6"), "stored", "job/step-7")
      .line("trainer.checkpoint-durable", saved);
  const Evidence e = object(told, "removed", "job/step-6").ends("i-1").found();
  EXPECT_EQ(e.kept, true);
  EXPECT_EQ(e.path, "s3://b/job/step-7");
  EXPECT_EQ(e.on, On{"s3://b/job/step-7"});
  EXPECT_EQ(told.newest_durable(), 7);
  EXPECT_EQ(object(told, "removed", "job/step-7").found().kept, false);
  EXPECT_EQ(told.newest_durable(), std::nullopt);
  EXPECT_EQ(LogOfSaves().line("trainer.checkpoint-durable", saved).found().why,
            "the checkpoint of step 7 (s3://b/job/step-7) was not in its bucket");
}

TEST(Evidence, HopsToAnotherZoneWithItsVolume) {
  LogOfSaves told;
  told.saves(7, "vol-1").snapshot("snap-1", "vol-1", "", "pending");
  told.volume("vol-2", "", "creating", "snap-1").volume("vol-1", "available", "deleting");
  told.snapshot("snap-1", "vol-1", "completed", "deleted");
  EXPECT_EQ(told.on(), On{"vol-2"});
}

TEST(Evidence, IsOfTheLastCheckpoint) {
  LogOfSaves told;
  told.saves(7, "vol-1").saves(8, "root").ends("i-1");
  EXPECT_EQ(told.found().kept, false);
  EXPECT_EQ(told.found().step, 8);
  EXPECT_EQ(LogOfSaves().saves(8, "vol-1").saves(8, "root").ends("i-1").on(), On{"vol-1"})
      << "a second copy";
}

TEST(Evidence, IsInTheFolderThatTheTrainerNamedAtItsStart) {
  LogOfSaves told;
  told.line("trainer.start", {{"instance_id", "i-1"}, {"folder", "/data"}, {"disk", "vol-1"}});
  EXPECT_EQ(told.saves(7, "").on(), On{"vol-1"});
  EXPECT_EQ(told.found().path, "/data");
  EXPECT_EQ(LogOfSaves().saves(7, "").found().why,
            "it is not known on which disk the checkpoint of step 7 is");
}

TEST(Evidence, InAnObjectStoreOrASnapshotOutlivesTheVolume) {
  LogOfSaves store, tier;
  const auto saved = [](const char* where) {
    return Json{{"instance_id", "i-1"}, {"step", 7}, {"tier", where}};
  };
  EXPECT_EQ(store.line("trainer.checkpoint-durable", saved("object-store")).on(),
            On{"object-store"});
  tier.line("trainer.start", {{"instance_id", "i-1"}, {"folder", "/data"}, {"disk", "vol-1"}});
  tier.line("trainer.checkpoint-begin", {{"instance_id", "i-1"}, {"step", 7}});
  tier.snapshot("snap-1", "vol-1", "", "pending");
  tier.line("trainer.checkpoint-durable", saved("snapshot"));
  EXPECT_EQ(tier.volume("vol-1", "in-use", "error").on(), On{"snap-1"});
}

// A trainer on i-1 saves to vol-1, and also as snapshots of vol-1.
struct TwoTiers : LogOfSaves {
  TwoTiers() {
    line("trainer.start", {{"instance_id", "i-1"}, {"folder", "/data"}, {"disk", "vol-1"}});
  }
  TwoTiers& begins(std::int64_t step) {
    line("trainer.checkpoint-begin", {{"instance_id", "i-1"}, {"step", step}});
    return *this;
  }
  TwoTiers& durable(std::int64_t step, const char* tier) {
    line("trainer.checkpoint-durable", {{"instance_id", "i-1"}, {"step", step}, {"tier", tier}});
    return *this;
  }
};

TEST(Evidence, OfTwoTiersOfOneStepIsOnBoth) {
  TwoTiers told;
  told.begins(7).snapshot("snap-1", "vol-1", "", "pending");
  told.durable(7, "volume").durable(7, "snapshot");
  EXPECT_EQ(told.on(), (On{"snap-1", "vol-1"}));
  EXPECT_EQ(told.volume("vol-1", "in-use", "error").on(), On{"snap-1"});
}

TEST(Evidence, OfASlowerTiersOlderStepIsNoNews) {
  TwoTiers told;
  told.begins(7).snapshot("snap-1", "vol-1", "", "pending");
  told.durable(7, "volume").begins(8).durable(8, "volume").durable(7, "snapshot");
  EXPECT_EQ(told.found().step, 8);
  EXPECT_EQ(told.on(), On{"vol-1"}) << "the snapshot has step 7 alone";
}

TEST(Evidence, OfATrainerThatStartedAgainMayBeOlder) {
  TwoTiers told;
  told.begins(8).durable(8, "volume");
  told.line("trainer.start", {{"instance_id", "i-1"}, {"folder", "/data"}, {"disk", "vol-1"}});
  told.begins(7).durable(7, "volume");
  EXPECT_EQ(told.found().step, 7);
}

TEST(Evidence, IsTheSameBackFromItsJson) {
  for (const Evidence& e : {LogOfSaves().found(), LogOfSaves().saves(7, "vol-1").found(),
                            LogOfSaves().saves(7, "root").ends("i-1").found()})
    EXPECT_EQ(evidence_from(to_json(e)), e);
}

// ---- all checkpoints, not only the last

TEST(Evidence, NewestDurableIsOfAnyThatIsThere) {
  LogOfSaves told;
  EXPECT_EQ(told.newest_durable(), std::nullopt);
  told.saves(7, "vol-1").snapshot("snap-1", "vol-1", "", "pending").saves(9, "vol-1");
  EXPECT_EQ(told.newest_durable(), 9);
  EXPECT_EQ(told.holders_of(7), (On{"snap-1", "vol-1"}));
  EXPECT_EQ(told.newest_durable("vol-1"), std::nullopt) << "a pending snapshot is no copy yet";
  told.snapshot("snap-1", "vol-1", "pending", "completed");
  EXPECT_EQ(told.newest_durable("vol-1"), 7);
  told.volume("vol-1", "in-use", "error");
  EXPECT_EQ(told.newest_durable(), 7);
  told.volume("vol-2", "", "creating", "snap-1")
      .snapshot("snap-1", "vol-1", "completed", "deleted");
  EXPECT_EQ(told.holders_of(7), On{"vol-2"});
}

TEST(Evidence, ASlowerPlaceThatReportsLateHasTheCheckpointToo) {
  LogOfSaves told;
  told.saves(9, "vol-1")
      .line("trainer.checkpoint-durable",
            {{"instance_id", "i-1"}, {"step", 7}, {"tier", "object-store"}});
  EXPECT_EQ(told.on(), On{"vol-1"});
  told.volume("vol-1", "in-use", "error");
  EXPECT_EQ(told.newest_durable(), 7);
  EXPECT_EQ(told.holders_of(7), On{"object-store"});
  EXPECT_EQ(told.found().kept, false);
}

TEST(Evidence, WhatIsOnlyWrittenIsNotDurable) {
  LogOfSaves told;
  told.line("trainer.checkpoint-written",
            {{"instance_id", "i-1"}, {"step", 7}, {"path", "/m"}, {"disk", "vol-1"}});
  EXPECT_EQ(told.on(), On{"vol-1"});
  EXPECT_EQ(told.newest_durable(), std::nullopt);
}

}  // namespace
}  // namespace sim::result
