// `spotsim trace import`: prices and availability in each format, written again.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "base/long_for_test.h"
#include "sim/cli/trace/trace_command_for_test.h"
#include "sim/market/price_history.h"
#include "sim/traces/availability.h"
#include "sim/traces/price_formats.h"

namespace sim::cli {
namespace {

using market::PriceHistory;

TEST_F(TraceCommand, ImportFiltersAndWritesAwsJson) {
  const std::string trace = (kTraces / "us-west-2-gpu.json").string();
  ASSERT_EQ(spotsim("trace import " + trace + out()), 0) << err_;
  EXPECT_EQ(written(), traces::read_price_history(trace));
  ASSERT_EQ(spotsim("trace import " + trace +
                    " --type p3.2xlarge --zone us-west-2a,us-west-2b "
                    "--from 2019-11-05 --to 2019-11-06" +
                    out()),
            0)
      << err_;
  const PriceHistory cut = written();
  EXPECT_EQ(cut.pools.size(), 2u);
  for (const auto& [pool, points] : cut.pools) {
    EXPECT_LE(points.front().at, *parse_time("2019-11-05"));
    EXPECT_LE(points.back().at, *parse_time("2019-11-06"));
  }
}

TEST_F(TraceCommand, ImportWritesAvailabilityAsACapacityJsonAPool) {
  const fs::path windows = folder_ / "windows.txt", pool = folder_ / "us-west-2b_p3.2xlarge.json";
  std::ofstream(windows) << "0011\n1100\n";
  std::ofstream(pool) << R"({"metadata": {"gap_seconds": 600, "start_time": "2022-10-26"}, )"
                         R"("data": [1, 1, 0, 4], "prices": [0.9, 0.9, 1, 1]})";
  const fs::path all = folder_ / "all";
  ASSERT_EQ(
      spotsim("trace import " + windows.string() + " " + pool.string() + " --out " + all.string()),
      0)
      << err_;
  EXPECT_EQ(contents_of(all / "windows#0000.json"),
            "{\"metadata\": {\"gap_seconds\": 1200}, \"data\": [1, 0]}\n");
  EXPECT_EQ(traces::read_availability(all / pool.filename()), traces::read_availability(pool));
  ASSERT_EQ(spotsim("trace import " + pool.string() +
                    " --from 2022-10-26T00:10:00 --to 2022-10-26T00:30:00 --tick 5m --out " +
                    (folder_ / "part").string()),
            0)
      << err_;
  EXPECT_EQ(contents_of(folder_ / "part" / pool.filename()),
            "{\"metadata\": {\"gap_seconds\": 300, \"start_time\": \"2022-10-26T00:10:00Z\"}, "
            "\"data\": [1, 1, 0, 0], \"prices\": [0.9000, 0.9000, 1.0000, 1.0000]}\n");
}

TEST_F(TraceCommand, ImportJoinsPricesToAvailability) {
  const std::string name = "us-west-2a_v100_1.json";
  fs::create_directories(folder_ / "prices");
  std::ofstream(folder_ / name) << R"({"metadata": {"gap_seconds": 195}, "data": [1, 0, 2]})";
  const std::string prices = (folder_ / "prices" / name).string();
  std::ofstream(prices) << R"({"prices": [0.918, 0.918, 0.9], "gap_seconds": 195})";
  const fs::path both = folder_ / "both";
  ASSERT_EQ(spotsim("trace import " + prices + " " + (folder_ / name).string() + " --out " +
                    both.string()),
            0)
      << err_;
  const auto pools = traces::read_availability(both / name).pools;
  const auto& series = pools.at({"v100_1", "us-west-2a"});
  EXPECT_EQ(series.steps.size(), 3u);
  ASSERT_EQ(series.prices.size(), 2u);
  EXPECT_EQ(series.prices[1].at, Time{} + 390s);
  EXPECT_EQ(spotsim("trace import " + prices + out()), 2);
  EXPECT_NE(err_.find("found prices of v100_1/us-west-2a, expected an instance type and a zone"),
            std::string::npos)
      << err_;
}

// Every set of real traces on this machine, through import and back: all files among the long
// tests, else some of each set. traces.RealFiles reads all files.
TEST_F(TraceCommand, ImportReadsEverySharedSet) {
  const char* const named = std::getenv("SPOTSIM_SHARED");
  const fs::path traces =
      (named ? fs::path(named) : fs::path(SPOTSIM_SOURCE_DIR) / "../shared") / "traces";
  if (!fs::is_directory(traces))
    GTEST_SKIP() << "no real traces: set SPOTSIM_SHARED to the folder that has traces/";
  const std::size_t every = long_tests() ? 1 : 25;
  for (const char* set : {"aws-spot-price-2009-2011", "aws-spot-price-2015-us-east-1",
                          "aws-spot-price-2021-us-east-1"}) {
    std::string files;
    for (const auto& entry : fs::directory_iterator(traces / set))
      files += " " + entry.path().string();
    ASSERT_EQ(spotsim("trace import" + files + out()), 0) << err_;
    EXPECT_GT(fs::file_size(folder_ / "out.json"), 1'000'000u) << set;
  }
  for (const char* set :
       {"bamboo", "cant-be-late-2week-windows", "parcae", "skynomad/converted_v100_4node_600s",
        "skynomad/v100_9zone_csv", "skynomad/v100_multinode_raw",
        "skynomad/h100_16_probe_counts.csv.gz", "skypilot-2022-logs", "skypilot-spot-traces"}) {
    std::vector<fs::path> files;
    if (fs::is_directory(traces / set)) {
      for (const auto& entry : fs::recursive_directory_iterator(traces / set))
        if (entry.is_regular_file() && entry.path().filename() != "start_indices.json")
          files.push_back(entry.path());
    } else {
      files.push_back(traces / set);
    }
    for (std::size_t i = 0; i < files.size(); i += every) {
      const fs::path& file = files[i];
      const fs::path folder = folder_ / "out";
      const market::Pool pool = traces::read_availability(file).pools.begin()->first;
      ASSERT_EQ(spotsim("trace import " + file.string() + " --pool " + to_string(pool) + " --out " +
                        folder.string()),
                0)
          << err_;
      const fs::path written = folder / (traces::market_name(pool) + ".json");
      EXPECT_EQ(traces::read_availability(written).pools.begin()->first, pool) << file;
      fs::remove_all(folder);
    }
  }
}

}  // namespace
}  // namespace sim::cli
