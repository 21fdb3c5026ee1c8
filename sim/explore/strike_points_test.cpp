// The points of a run at which faults strike.
#include <gtest/gtest.h>

#include <algorithm>

#include "sim/explore/explored_for_test.h"
#include "sim/result/history_builder.h"

namespace sim::explore {
namespace {

TEST_F(Explored, EveryStrikePointCanBeStruck) {
  const Runner runs = runner(az_hop());
  StrikePoints points;
  runs.run({}, &points);
  std::size_t struck = 0, tried = 0;
  // A kind that changes nothing, so that the run is the same up to each point.
  for (const StrikePoint& point : points.all()) {
    if (point.kind == StrikePoint::Kind::kMetadata) continue;
    StrikePoints seen;
    const std::string fault =
        faults::to_yaml(faults::Fault{.kind = "rebalance", .when = point.when});
    runs.run({fault}, &seen);
    // At the run's last line no fault can strike.
    if (point.at == points.all().back().at) continue;
    ++tried;
    struck += seen.struck();
    EXPECT_EQ(seen.struck(), 1u) << fault;
  }
  EXPECT_GT(tried, 200u);
  EXPECT_EQ(struck, tried);
}

TEST_F(Explored, StrikePointsAreThoseOfTheLog) {
  const Runner runs = runner(az_hop());
  StrikePoints points;
  runs.run({}, &points);
  const auto count = [&](const std::string& about, StrikePoint::Kind kind) {
    return std::ranges::count_if(points.all(), [&](const StrikePoint& point) {
      return point.about == about && point.kind == kind;
    });
  };
  EXPECT_EQ(count("CreateSnapshot", StrikePoint::Kind::kCall), 1);
  EXPECT_EQ(count("CreateSnapshot", StrikePoint::Kind::kAnsweredCall), 1);
  EXPECT_EQ(count("snapshot.state completed", StrikePoint::Kind::kEvent), 1);
  EXPECT_EQ(count("instance.notice", StrikePoint::Kind::kEvent), 1);
  EXPECT_EQ(count("trainer.checkpoint-begin", StrikePoint::Kind::kEvent),
            count("trainer.checkpoint-durable", StrikePoint::Kind::kEvent));
  EXPECT_TRUE(points.in_recovery().empty());
}

TEST(StrikePointsOfALog, RepeatedEmptyPollsAreStruckTheFirstTime) {
  events::Listeners log;
  result::HistoryBuilder builder;
  builder.listen(log);
  StrikePoints points;
  points.listen(log, builder.history());
  const auto tell = [&log](const auto& event) { log.tell(events::AnyEvent(event)); };
  const auto look = [&](int status) {
    tell(events::ImdsRequest{
        .instance_id = "i-1", .path = "/latest/meta-data/spot/instance-action", .status = status});
  };
  tell(events::InstanceState{.instance_id = "i-1", .to = "pending"});
  look(404);
  tell(events::TrainerStep{.step = 1});
  look(404);
  look(404);
  EXPECT_EQ(points.all().size(), 3U);
  tell(events::InstanceNotice{.instance_id = "i-1"});
  look(404);
  look(200);
  ASSERT_EQ(points.all().size(), 6U);
  EXPECT_EQ(std::get<faults::OnMetadata>(points.all()[5].when).nth, 5);
}

TEST_F(Explored, RecoveryEndsWithACheckpointOfNewSteps) {
  const Runner runs = runner(az_hop());
  StrikePoints points;
  runs.run({"{at: 20m, kind: power-cut}"}, &points);
  const auto recovery = points.in_recovery();
  ASSERT_FALSE(recovery.empty());
  EXPECT_LT(recovery.size(), points.all().size() / 2);
  EXPECT_EQ(recovery.back().about, "trainer.checkpoint-durable");
  EXPECT_TRUE(std::ranges::any_of(recovery, [](const StrikePoint& point) {
    return point.about == "orchestrator.phase attach";
  }));
}

}  // namespace
}  // namespace sim::explore
