#include "trainer/loop/interruption_signals.h"

#include <gtest/gtest.h>

#include "trainer/gang/threads_for_test.h"
#include "trainer/loop/stop.h"

namespace spottrain {
namespace {

using namespace std::chrono_literals;

TEST(InterruptionSignals, AllRanksGetTheNoticeOfOne) {
  const auto now = monotonic_now();
  std::vector<InterruptionSignals> own(3);
  own[1].notice = {"SIGTERM", {}};
  own[2] = {Notice{"spot/instance-action: terminate", now + 100s}, true};
  const auto told = of_ranks<InterruptionSignals>(3, [&](Communicator& gang) {
    return agree(gang, own[static_cast<std::size_t>(gang.rank())]);
  });
  const std::vector<std::string> reasons{"rank 1", "SIGTERM", "spot/instance-action: terminate"};
  for (std::size_t rank = 0; rank < 3; ++rank) {
    ASSERT_TRUE(told[rank].notice) << rank;
    EXPECT_EQ(told[rank].notice->reason, reasons[rank]);
    ASSERT_TRUE(told[rank].notice->deadline) << rank;
    EXPECT_NEAR(std::chrono::duration<double>(*told[rank].notice->deadline - now).count(), 100, 5);
    EXPECT_TRUE(told[rank].rebalance);
  }
}

TEST(InterruptionSignals, WithoutANoticeNoRankGetsOne) {
  for (const InterruptionSignals& told :
       of_ranks<InterruptionSignals>(2, [](Communicator& gang) { return agree(gang, {}); })) {
    EXPECT_FALSE(told.notice);
    EXPECT_FALSE(told.rebalance);
  }
}

}  // namespace
}  // namespace spottrain
