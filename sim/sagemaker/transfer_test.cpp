#include "sim/sagemaker/transfer.h"

#include <gtest/gtest.h>

namespace sim::sagemaker {
namespace {

using namespace std::chrono_literals;

constexpr TransferKnobs kKnobs{.bytes_per_second = 1000, .request = 100ms, .requests_at_once = 10};

TEST(Transfer, TakesARequestAndItsBytes) {
  EXPECT_EQ(time_for({}, kKnobs), 0s);
  EXPECT_EQ(time_for({0}, kKnobs), 100ms);
  EXPECT_EQ(time_for({5000}, kKnobs), 5100ms);
}

TEST(Transfer, OfManySmallObjectsTakesTheirRequestsTenAtOnce) {
  EXPECT_EQ(time_for(std::vector<std::uint64_t>(10, 0), kKnobs), 100ms);
  EXPECT_EQ(time_for(std::vector<std::uint64_t>(11, 0), kKnobs), 200ms);
  EXPECT_EQ(time_for(std::vector<std::uint64_t>(2000, 0), kKnobs), 20s);
}

// One request waits for its first byte while another one's bytes arrive.
TEST(Transfer, SharesTheBandwidth) {
  EXPECT_EQ(arrivals({1000, 1000, 0}, kKnobs), (std::vector<Duration>{1100ms, 2100ms, 2100ms}));
}

}  // namespace
}  // namespace sim::sagemaker
