// Every file of the shared traces, if the machine has them: in traces/ under the folder
// SPOTSIM_SHARED, else under ../shared next to the sources. Each file is read as the expected
// format, or refused with a message that names the reason.
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>

#include "sim/market/instance_types.h"
#include "sim/market/price_history.h"
#include "sim/traces/price_formats.h"
#include "sim/traces/trace.h"
#include "sim/traces/trace_file.h"

namespace sim::traces {
namespace {

namespace fs = std::filesystem;

struct Expected {
  std::string_view begins;  // the path, from the folder of the traces on
  std::string_view format;  // empty: it is refused
  std::string_view message{};
};

// If several entries match, the longest counts.
constexpr std::array kExpected{
    Expected{"SOURCES.md", "", "format: found \"# Real traces"},
    Expected{"aws-spot-price-2009-2011/", "csv-epoch-ms"},
    Expected{"aws-spot-price-2015-us-east-1/", "csv-timestamps"},
    Expected{"aws-spot-price-2021-us-east-1/", "csv-markets"},
    Expected{"bamboo/", "node-counts"},
    Expected{"bamboo/a100x1-east1b.txt", "dated-counts"},
    Expected{"bamboo/g4dn-trace.csv", "node-events"},
    Expected{"bamboo/p3-trace.csv", "node-events"},
    Expected{"bamboo/v100x1-east1c.txt", "dated-counts"},
    Expected{"cant-be-late-2week-windows/windows_8x300x554.txt.gz", "windows"},
    Expected{"cant-be-late-2week-windows/start_indices.json", "",
             "format: found \"{\"zones_in_order\""},
    Expected{"ckptsim-disheng222/", "", "format: found \"totalLoad"},
    Expected{"clusterman-billing/", "", "format: found \"Feature:"},
    Expected{"parcae/", "node-events-json"},
    Expected{"parcae/aws/traces/p3.csv", "node-counts"},
    Expected{"skynomad/aws_egress_pricing.csv", "", "format: found \"from_region,to_region"},
    Expected{"skynomad/converted_multi_region_aligned_h100_16_merged.tar.gz", "",
             "found \"a tar archive\", expected one of the files in it"},
    Expected{"skynomad/converted_v100_4node_600s/", "preempted-json"},
    Expected{"skynomad/h100_16_probe_counts.csv.gz", "probe-counts"},
    Expected{"skynomad/spot_price_cache/", "", "format: found \"{\""},
    Expected{"skynomad/v100_1node_prices/", "price-ticks-json"},
    Expected{"skynomad/v100_9zone_csv/", "dated-availability"},
    Expected{"skynomad/v100_multinode_raw/", "capacity-json"},
    Expected{"skynomad/v100_spot_price_archive_summary.csv", "", "format: found \"az_id,"},
    Expected{"skynomad/v100_spot_prices.json.gz", "price-ticks-by-pool-json"},
    Expected{"skypilot-2022-logs/", "tick-log"},
    Expected{"skypilot-spot-traces/", "capacity-json"},
};

const Expected* expected_of(std::string_view path) {
  const Expected* best = nullptr;
  for (const Expected& one : kExpected)
    if (path.starts_with(one.begins) && (!best || one.begins.size() > best->begins.size()))
      best = &one;
  return best;
}

TEST(RealFiles, AreEachReadOrRefusedWithATrueMessage) {
  const char* named = std::getenv("SPOTSIM_SHARED");
  const fs::path traces =
      (named ? fs::path(named) : fs::path(SPOTSIM_SOURCE_DIR) / "../shared") / "traces";
  if (!fs::is_directory(traces))
    GTEST_SKIP() << "no real traces: set SPOTSIM_SHARED to the folder that has traces/";
  for (const auto& entry : fs::recursive_directory_iterator(traces)) {
    if (!entry.is_regular_file()) continue;
    const std::string path = entry.path().lexically_relative(traces).generic_string();
    const Expected* const expected = expected_of(path);
    ASSERT_TRUE(expected) << path << ": is not in the list above";
    try {
      const Trace trace = read_trace(entry.path());
      EXPECT_EQ(trace.format, expected->format) << path;
      std::visit([&](const auto& content) { EXPECT_FALSE(content.pools.empty()) << path; },
                 trace.content);
    } catch (const TraceError& error) {
      const std::string what = error.what();
      EXPECT_EQ(expected->format, "") << what;
      EXPECT_NE(what.find(path), std::string::npos) << what;
      EXPECT_NE(what.find(expected->message), std::string::npos) << what;
    }
  }
}

// Price histories whose contents are known.
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

  // Reads every file of a folder; each must have pools that no other file has.
  market::PriceHistory read_folder(const char* name) const {
    market::PriceHistory all;
    if (!fs::is_directory(traces_ / name)) return all;
    for (const auto& entry : fs::directory_iterator(traces_ / name)) {
      const market::PriceHistory history = read_price_history(entry.path());
      for (const auto& [pool, points] : history.pools)
        EXPECT_TRUE(all.pools.emplace(pool, points).second) << market::to_string(pool);
    }
    return all;
  }

  fs::path traces_;
};

std::size_t points(const market::PriceHistory& history) {
  std::size_t n = 0;
  for (const auto& [pool, list] : history.pools) n += list.size();
  return n;
}

void expect_known_types(const market::PriceHistory& history) {
  for (const auto& [pool, list] : history.pools)
    EXPECT_TRUE(market::find_instance_type(*market::instance_types(), pool.instance_type))
        << market::to_string(pool);
}

TEST_F(RealHistories, Of2021HaveEveryPointOf82Markets) {
  const market::PriceHistory history = read_folder("aws-spot-price-2021-us-east-1");
  if (history.pools.empty()) GTEST_SKIP() << "no aws-spot-price-2021-us-east-1";
  EXPECT_EQ(history.pools.size(), 82u);
  EXPECT_EQ(points(history), 11'926u);
  expect_known_types(history);
  EXPECT_EQ(
      history.pools.at({"c5.4xlarge", "us-east-1a"}).front(),
      (market::PricePoint{*parse_time("2021-03-02T07:43:33Z"), *market::parse_usd("0.2627")}));
}

TEST_F(RealHistories, Of2015AreFifteenPools) {
  const market::PriceHistory history = read_folder("aws-spot-price-2015-us-east-1");
  if (history.pools.empty()) GTEST_SKIP() << "no aws-spot-price-2015-us-east-1";
  EXPECT_EQ(history.pools.size(), 15u);
  EXPECT_EQ(points(history), 274'099u);
  expect_known_types(history);
}

TEST_F(RealHistories, Of2009AreThirtyFourPools) {
  const market::PriceHistory history = read_folder("aws-spot-price-2009-2011");
  if (history.pools.empty()) GTEST_SKIP() << "no aws-spot-price-2009-2011";
  EXPECT_EQ(history.pools.size(), 34u);
  EXPECT_EQ(points(history), 223'407u);
  expect_known_types(history);
}

}  // namespace

}  // namespace sim::traces
