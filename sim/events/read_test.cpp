#include "sim/events/read.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace sim::events {
namespace {

TEST(EventKinds, AreFoundByTheirNames) {
  for (std::size_t i = 0; i < kKinds; ++i) EXPECT_EQ(find_kind(kNames[i]), static_cast<Kind>(i));
  for (const char* name : {"", "api.calls", "instance", "trainer.steps", "zzz"})
    EXPECT_EQ(find_kind(name), Kind::kOther) << name;
}

TEST(EventKinds, OfAProgramHaveASourceOfTheirOwn) {
  for (const char* kind : {"trainer.step", "trainer.unknown", "mine.event", "api.call"})
    EXPECT_TRUE(is_event_kind(kind)) << kind;
  for (const char* kind : {"api.calls", "instance", "trainer", "", ".x", "x."})
    EXPECT_FALSE(is_event_kind(kind)) << kind;
  EXPECT_TRUE(is_own_source("charge"));
  EXPECT_FALSE(is_own_source("trainer"));
  EXPECT_FALSE(is_own_source("mine"));
}

TEST(Reading, LeavesEmptyWhatIsMissingOrOfAnotherType) {
  const Json fields{{"instance_id", 5}, {"step", "7"}, {"bytes", 9}, {"base", 2.5}};
  int heard = 0;
  read(Time{}, "trainer.checkpoint-durable", fields, [&](const AnyEvent& event) {
    ++heard;
    const auto* const typed = event.as<TrainerCheckpointDurable>();
    ASSERT_NE(typed, nullptr);
    EXPECT_EQ(typed->instance_id, "");
    EXPECT_EQ(typed->step, 0);
    EXPECT_EQ(typed->bytes, 9);
    EXPECT_FALSE(typed->base);
    EXPECT_EQ(event.text("step"), "7");
    EXPECT_EQ(event.text("base"), "2.5");
    EXPECT_EQ(event.fields(), fields);
  });
  EXPECT_EQ(heard, 1);
}

}  // namespace
}  // namespace sim::events
