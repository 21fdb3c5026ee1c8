#include "sim/explore/endless_run.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sim/events/event.h"
#include "sim/result/history_builder.h"

namespace sim::explore {
namespace {

// A run whose usual length is ten minutes, with two instances.
class EndlessRuns : public ::testing::Test {
 protected:
  EndlessRuns() {
    history_.listen(log_);
    run_.count_instances(history_.history());
    run_.listen(log_, history_.history(), {});
  }

  // True if the run counts as endless after so many failing calls, `every` apart.
  bool endless_after(int calls, Duration every) {
    for (int i = 0; i < calls; ++i) call(i * every, "MissingParameter");
    return run_.found();
  }
  void call(Duration at, std::string_view result) {
    log_.tell(events::AnyEvent(events::ApiCall{.time = Time{} + at,
                                               .service = "ec2",
                                               .action = "AttachVolume",
                                               .caller = "i-1",
                                               .result = result,
                                               .request = request_}));
  }
  bool endless_with(int instances) {
    for (int i = 0; i < instances; ++i) {
      const std::string id = fmt::format("i-{}", i);
      log_.tell(events::AnyEvent(events::InstanceState{.instance_id = id, .to = "pending"}));
    }
    return run_.found();
  }

 private:
  const Json request_ = Json::object();
  events::Listeners log_;
  result::HistoryBuilder history_;
  EndlessRun run_{{.launched = 2, .makespan = 10min}};
};

TEST_F(EndlessRuns, RepeatAFailingCallForThreeTimesTheUsualTime) {
  EXPECT_TRUE(endless_after(201, 10s));
}

TEST_F(EndlessRuns, AreNoRunsThatMayYetSucceed) {
  EXPECT_FALSE(endless_after(200, 10s)) << "200 failures break no invariant";
}

TEST_F(EndlessRuns, HaveTimeToShowFurtherBreaches) {
  EXPECT_FALSE(endless_after(250, 7s)) << "29 of 30 minutes";
}

TEST_F(EndlessRuns, AreNotThoseThatSucceedInTheEnd) {
  for (int i = 0; i < 20; ++i) call(i * 10ms, "MissingParameter");  // breaks the invariant
  for (int i = 1; i < 60; ++i) call(i * 1min, i % 2 == 0 ? "ok" : "MissingParameter");
  EXPECT_FALSE(endless_after(0, 0s));
}

TEST_F(EndlessRuns, LaunchManyMoreInstancesThanUsual) { EXPECT_TRUE(endless_with(17)); }

TEST_F(EndlessRuns, MayLaunchSomeMore) { EXPECT_FALSE(endless_with(16)); }

TEST(EndlessRun, SaysThatItLaunchedTooMany) {
  const EndlessRun run({.launched = 2, .makespan = 10min});
  EXPECT_EQ(run.too_many(16), "");
  EXPECT_EQ(run.too_many(17),
            "launched 17 instances; the search permits 16, 8 more than 4 times those of the first "
            "run, and ended this run. The command runs on, and may end otherwise");
}

}  // namespace
}  // namespace sim::explore
