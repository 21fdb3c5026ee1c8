// The readers against real price histories, where a machine has them: in traces/ under the folder
// that SPOTSIM_SHARED names, else under ../shared beside the sources.
#include <gtest/gtest.h>

#include <cstdlib>

#include "sim/market/instance_types.h"
#include "sim/market/price_history.h"
#include "sim/traces/price_formats.h"

namespace sim::market {
namespace {

namespace fs = std::filesystem;

class RealHistories : public testing::Test {
 protected:
  void SetUp() override {
    const char* named = std::getenv("SPOTSIM_SHARED");
    const fs::path shared =
        named ? fs::path(named) : fs::path(SPOTSIM_SOURCE_DIR) / ".." / "shared";
    traces_ = shared / "traces";
    if (!fs::is_directory(traces_))
      GTEST_SKIP() << "no real price histories: set SPOTSIM_SHARED to the folder that has traces/";
  }

  // Reads every file of a folder; each must hold pools that no other has.
  PriceHistory read_folder(const char* name) const {
    PriceHistory all;
    if (!fs::is_directory(traces_ / name)) return all;
    for (const auto& entry : fs::directory_iterator(traces_ / name)) {
      const PriceHistory history = read_price_history(entry.path());
      for (const auto& [pool, points] : history.pools)
        EXPECT_TRUE(all.pools.emplace(pool, points).second) << to_string(pool);
    }
    return all;
  }

  fs::path traces_;
};

std::size_t points(const PriceHistory& history) {
  std::size_t n = 0;
  for (const auto& [pool, list] : history.pools) n += list.size();
  return n;
}

void expect_known_types(const PriceHistory& history) {
  for (const auto& [pool, list] : history.pools)
    EXPECT_TRUE(find_instance_type(pool.instance_type)) << to_string(pool);
}

TEST_F(RealHistories, Of2021HaveEveryPointOf82Markets) {
  const PriceHistory history = read_folder("aws-spot-price-2021-us-east-1");
  if (history.pools.empty()) GTEST_SKIP() << "no aws-spot-price-2021-us-east-1";
  EXPECT_EQ(history.pools.size(), 82u);
  EXPECT_EQ(points(history), 11'926u);
  expect_known_types(history);
  EXPECT_EQ(history.pools.at({"c5.4xlarge", "us-east-1a"}).front(),
            (PricePoint{*parse_time("2021-03-02T07:43:33Z"), *parse_usd("0.2627")}));
}

TEST_F(RealHistories, Of2015AreFifteenPools) {
  const PriceHistory history = read_folder("aws-spot-price-2015-us-east-1");
  if (history.pools.empty()) GTEST_SKIP() << "no aws-spot-price-2015-us-east-1";
  EXPECT_EQ(history.pools.size(), 15u);
  EXPECT_EQ(points(history), 274'099u);
  expect_known_types(history);
}

TEST_F(RealHistories, Of2009AreThirtyFourPools) {
  const PriceHistory history = read_folder("aws-spot-price-2009-2011");
  if (history.pools.empty()) GTEST_SKIP() << "no aws-spot-price-2009-2011";
  EXPECT_EQ(history.pools.size(), 34u);
  EXPECT_EQ(points(history), 223'407u);
  expect_known_types(history);
}

}  // namespace
}  // namespace sim::market
