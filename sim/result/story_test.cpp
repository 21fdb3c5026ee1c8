#include "sim/result/story.h"

#include <gtest/gtest.h>

#include "sim/kernel/event.h"

namespace sim::run {
namespace {

TEST(Story, ATrainersLineThatIsToldPlainlyTellsTheSame) {
  StoryTeller by_json, plainly;
  for (StoryTeller* teller : {&by_json, &plainly}) {
    teller->hear(Event{Time{}, "run.start", Json::object()});
    teller->hear(Event{Time{}, "instance.state", {{"instance_id", "i-1"}, {"to", "pending"}}});
  }
  const auto tell = [&](const PlainEvent& event) {
    by_json.hear(to_event(event));
    plainly.hear(event);
  };
  const Time t{Duration{5}};
  tell({t, "trainer.start", {{"instance_id", "i-1"}, {"step", 0}, {"total_steps", 9}}});
  tell({t, "trainer.step", {{"instance_id", "i-1"}, {"step", 1}}});
  tell({t, "trainer.step", {{"instance_id", "i-1"}, {"step", 2}}});
  tell({t,
        "trainer.checkpoint-begin",
        {{"instance_id", "i-1"}, {"step", 1}, {"reason", std::string_view("epoch")}}});
  tell({t, "trainer.checkpoint-durable", {{"instance_id", "i-1"}, {"step", 1}, {"bytes", 7}}});
  tell({t, "trainer.step", {{"instance_id", "i-2"}, {"step", 1}}});  // nobody knows it

  const InstanceStory &a = by_json.story().instances.at(0), &b = plainly.story().instances.at(0);
  EXPECT_TRUE(b.trained_or_meant_to);
  ASSERT_EQ(b.trainer.size(), 5u);
  ASSERT_EQ(a.trainer.size(), 5u);
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(a.trainer[i].order, b.trainer[i].order) << i;
    EXPECT_EQ(a.trainer[i].at, b.trainer[i].at) << i;
    EXPECT_EQ(a.trainer[i].event, b.trainer[i].event) << i;
    EXPECT_EQ(a.trainer[i].step, b.trainer[i].step) << i;
    EXPECT_EQ(a.trainer[i].total_steps, b.trainer[i].total_steps) << i;
    EXPECT_EQ(by_json.story().reasons.at(a.trainer[i].reason),
              plainly.story().reasons.at(b.trainer[i].reason))
        << i;
  }
  EXPECT_EQ(b.trainer[3].event, TrainerEvent::kCheckpointBegin);
  EXPECT_EQ(plainly.story().reasons.at(b.trainer[3].reason), "epoch");
  EXPECT_EQ(plainly.story().reasons.at(b.trainer[1].reason), "");
  EXPECT_EQ(plainly.story().end, t);
}

}  // namespace
}  // namespace sim::run
