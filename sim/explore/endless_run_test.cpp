#include "sim/explore/endless_run.h"

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
    run_.listen(log_, history_.history(), {});
  }

  // True if the run counts as endless after so many failing calls, `every` apart.
  bool endless_after(int calls, Duration every) {
    for (int i = 0; i < calls; ++i)
      log_.tell(events::AnyEvent(events::ApiCall{.time = Time{} + i * every,
                                                 .service = "ec2",
                                                 .action = "AttachVolume",
                                                 .caller = "i-1",
                                                 .result = "MissingParameter",
                                                 .request = request_}));
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

TEST(EndlessRun, SaysThatItLaunchedTooMany) {
  const EndlessRun run({.launched = 2, .makespan = 10min});
  EXPECT_EQ(run.too_many(16), "");
  EXPECT_EQ(run.too_many(17),
            "launched 17 instances; the search permits 16, 8 more than 4 times those of the first "
            "run, and ended this run. The command runs on, and may end otherwise");
}

}  // namespace
}  // namespace sim::explore
