#include <gtest/gtest.h>

#include "sim/events/event.h"
#include "sim/events/read.h"
#include "sim/result/history_builder.h"

namespace sim::run {
namespace {

// As fiber guests tell, and as a line of events.jsonl does.
TEST(History, AStructAndItsLineTellTheSame) {
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
  tell(events::TrainerStep{.time = t, .instance_id = "i-2", .step = 1});  // nobody knows it

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

}  // namespace
}  // namespace sim::run
