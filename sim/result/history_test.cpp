#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "sim/events/event.h"
#include "sim/events/read.h"
#include "sim/result/history_builder.h"

namespace sim::result {
namespace {

// Fiber guests report with structs, process guests with lines of text.
TEST(History, AStructAndItsLineReportTheSame) {
  events::Listeners of_structs, of_lines;
  HistoryBuilder by_struct, by_line;
  by_struct.listen(of_structs);
  by_line.listen(of_lines);
  const auto tell = [&](const auto& event) {
    of_structs.tell(events::AnyEvent(event));
    events::tell(of_lines, parse_event(to_line(event)));
  };
  const Time t{Duration{5}};
  tell(events::RunStart{.seed = 7, .step_seconds = Json::object(), .assumptions = Json::array()});
  tell(events::InstanceState{.instance_id = "i-1", .to = "pending", .instance_type = "p3.2xlarge"});
  tell(events::TrainerStart{.time = t, .instance_id = "i-1", .total_steps = 9});
  tell(events::TrainerStep{.time = t, .instance_id = "i-1", .step = 1});
  tell(events::TrainerStep{.time = t, .instance_id = "i-1", .step = 2});
  tell(events::TrainerCheckpointBegin{
      .time = t, .instance_id = "i-1", .step = 1, .reason = "epoch"});
  tell(events::TrainerCheckpointDurable{.time = t, .instance_id = "i-1", .step = 1, .bytes = 7});
  tell(events::TrainerStep{.time = t, .instance_id = "i-2", .step = 1});  // no instance has this ID

  const History::Instance &a = by_struct.history().instances.at(0),
                          &b = by_line.history().instances.at(0);
  EXPECT_EQ(b.type, "p3.2xlarge");
  EXPECT_TRUE(b.has_trained);
  ASSERT_EQ(b.trainer.size(), 5u);
  ASSERT_EQ(a.trainer.size(), 5u);
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(a.trainer[i].order, b.trainer[i].order) << i;
    EXPECT_EQ(a.trainer[i].at, b.trainer[i].at) << i;
    EXPECT_EQ(a.trainer[i].event, b.trainer[i].event) << i;
    EXPECT_EQ(a.trainer[i].step, b.trainer[i].step) << i;
    EXPECT_EQ(a.trainer[i].total_steps, b.trainer[i].total_steps) << i;
    EXPECT_EQ(a.trainer[i].reason, b.trainer[i].reason) << i;
  }
  EXPECT_EQ(b.trainer[3].event, TrainerEvent::kCheckpointBegin);
  EXPECT_EQ(by_line.history().reasons.at(b.trainer[3].reason), "epoch");
  EXPECT_EQ(by_line.history().header.seed, 7u);
  EXPECT_EQ(by_line.history().end, t);
}

// A history of these events, a second apart.
History history_of(const std::vector<std::pair<std::string, Json>>& lines) {
  events::Listeners log;
  HistoryBuilder builder;
  builder.listen(log);
  Time at{};
  for (const auto& [kind, fields] : lines) events::tell(log, {at += 1s, kind, fields});
  return builder.history();
}

Json volume(const char* from, const char* to) {
  return {{"volume_id", "vol-1"}, {"from", from}, {"to", to}, {"availability_zone", "us-west-2a"}};
}

TEST(History, AVolumeHasItsStateItsAttachmentAndItsTags) {
  const History history = history_of(
      {{"volume.state", volume("", "creating")},
       {"tags.created", {{"resource_id", "vol-1"}, {"tags", {{"Name", "job"}, {"a", "b"}}}}},
       {"volume.state", volume("creating", "available")},
       {"attachment.state", {{"volume_id", "vol-1"}, {"from", ""}, {"to", "attaching"}}},
       {"volume.state", volume("available", "in-use")},
       {"tags.deleted", {{"resource_id", "vol-1"}, {"tags", {"a"}}}}});
  const History::Volume& v = history.volumes.at("vol-1");
  EXPECT_EQ(v.state, "in-use");
  EXPECT_EQ(v.zone, "us-west-2a");
  EXPECT_EQ(v.made_at, Time{} + 1s);
  EXPECT_EQ(v.since, Time{} + 5s);
  EXPECT_EQ(parse_event(v.made_by).fields["to"], "creating");
  EXPECT_FALSE(v.by_job) << "no instance was launched to train";
  EXPECT_EQ(v.attachment.state, "attaching");
  EXPECT_EQ(history.name_of("vol-1"), "job");
  EXPECT_EQ(parse_event(history.tags.at("vol-1").named_by).kind, "tags.created");
  EXPECT_FALSE(history.tags.at("vol-1").all.contains("a"));
}

TEST(History, KnowsWhatTheJobMadeAndWhatStillRuns) {
  const auto instance = [](const char* from, const char* to) {
    return Json{{"instance_id", "i-1"}, {"from", from}, {"to", to}, {"lifecycle", "spot"}};
  };
  const auto snapshot = [](const char* id, const char* from, const char* to) {
    return Json{{"snapshot_id", id}, {"volume_id", "vol-1"}, {"from", from}, {"to", to}};
  };
  const History history =
      history_of({{"snapshot.state", snapshot("snap-1", "", "pending")},
                  {"fleet.state", {{"fleet_id", "sfr-1"}, {"from", ""}, {"to", "active"}}},
                  {"instance.state", instance("", "pending")},
                  {"snapshot.state", snapshot("snap-2", "", "pending")},
                  {"snapshot.state", snapshot("snap-1", "pending", "deleted")},
                  {"orchestrator.phase", {{"instance_id", "i-1"}, {"name", "train"}}},
                  {"guest.exit", {{"machine", "i-1"}, {"status", 3}}},
                  {"instance.state", instance("running", "shutting-down")}});
  EXPECT_FALSE(history.snapshots.at("snap-1").by_job);
  EXPECT_FALSE(history.snapshots.at("snap-1").is_there());
  EXPECT_TRUE(history.snapshots.at("snap-2").by_job);
  EXPECT_TRUE(history.is_active("sfr-1"));
  EXPECT_EQ(history.running_instances(), 1U) << "it is still billed";
  EXPECT_EQ(history.exits.at("i-1").status, 3);
  const History::Instance& i = *history.instance("i-1");
  EXPECT_TRUE(i.reached("train"));
  EXPECT_FALSE(i.cut_short) << "its user data had ended before";
  EXPECT_EQ(i.state, "shutting-down");
}

}  // namespace
}  // namespace sim::result
