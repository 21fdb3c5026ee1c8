// `spotsim trace synth` and `spotsim trace windows`: traces drawn and cut.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "sim/cli/trace/trace_command_for_test.h"
#include "sim/market/price_history.h"
#include "sim/traces/availability.h"
#include "sim/traces/price_formats.h"

namespace sim::cli {
namespace {

using market::PriceHistory;

TEST_F(TraceCommand, SynthOfPricesKeepsToItsOptions) {
  const std::string common = "trace synth --from 2020-01-01 --to 2020-02-01 ";
  ASSERT_EQ(spotsim(common + "--pool g5.xlarge/eu-west-1a=0.4 --seed 3" + out()), 0) << err_;
  const PriceHistory one = written();
  const auto& points = one.pools.at({"g5.xlarge", "eu-west-1a"});
  EXPECT_EQ(points.front().at, *parse_time("2020-01-01"));
  EXPECT_EQ(points.back().at, *parse_time("2020-02-01"));
  for (const auto& point : points)
    EXPECT_TRUE(point.price >= *market::parse_usd("0.36") &&
                point.price <= *market::parse_usd("0.44"));
  ASSERT_EQ(spotsim(common + "--pool g5.xlarge/eu-west-1a=0.4 --seed 4" + out()), 0) << err_;
  EXPECT_NE(written(), one);
}

TEST_F(TraceCommand, SynthOfAvailabilityKeepsToItsMeans) {
  const fs::path source = folder_ / "source";
  ASSERT_EQ(spotsim(kTwoPools + source.string()), 0) << err_;
  ASSERT_EQ(spotsim("trace stats --json " + (source / "us-west-2a_p3.2xlarge.json").string()), 0);
  const auto pool = nlohmann::json::parse(out_)["pools"][0];
  EXPECT_NEAR(pool["mean_up_hours"], 5, 0.8);
  EXPECT_NEAR(pool["mean_down_hours"], 2, 0.4);
}

TEST_F(TraceCommand, SynthDrawsLikeATraceByEachLaw) {
  const std::string source = (folder_ / "source").string(), a = source + "/us-west-2a_p3.2xlarge";
  ASSERT_EQ(spotsim(kTwoPools + source), 0) << err_;
  const std::string files = a + ".json " + source + "/us-west-2b_p3.2xlarge.json ";
  for (const char* law : {"best", "markov", "exponential", "weibull", "bathtub"}) {
    const fs::path drawn = folder_ / law;
    ASSERT_EQ(spotsim("trace synth --json --seed 7 --law " + std::string(law) + " " + files +
                      "--out " + drawn.string()),
              0)
        << err_;
    const auto said = nlohmann::json::parse(out_);
    EXPECT_EQ(said["law"], law);
    ASSERT_EQ(said["pools"].size(), 2u);
    for (const auto& pool : said["pools"]) {
      EXPECT_NEAR(pool["source"]["available"], pool["synthetic"]["available"].get<double>(), 0.06);
      EXPECT_NEAR(pool["source"]["hours"], pool["synthetic"]["hours"].get<double>(), 1e-6);
      EXPECT_EQ(pool["fits"]["up"].size(), 3u);
    }
    EXPECT_EQ(said["synthetic_correlations"].size(), 1u);
    const auto written = traces::read_availability(drawn / "us-west-2a_p3.2xlarge.json");
    EXPECT_NE(written, traces::read_availability(a + ".json"));
  }
  ASSERT_EQ(spotsim("trace synth --seed 7 " + files + "--out " + source + "2"), 0) << err_;
  EXPECT_NE(out_.find("bathtub"), std::string::npos);
  EXPECT_NE(out_.find("synthetic"), std::string::npos);
}

TEST_F(TraceCommand, SynthDrawsPricesLikeAHistory) {
  const std::string source = (kTraces / "us-west-2-gpu.json").string();
  ASSERT_EQ(spotsim("trace synth --json --seed 7 --type p3.2xlarge " + source + out()), 0) << err_;
  const auto said = nlohmann::json::parse(out_);
  for (const auto& pool : said["pools"]) {
    const auto mean = [&](const char* of) {
      return std::stod(pool[of]["mean"].get<std::string>());
    };
    EXPECT_NEAR(mean("synthetic"), mean("source"), 0.01 * mean("source"));
  }
  EXPECT_EQ(written().pools.size(), 4u);
}

TEST_F(TraceCommand, WindowsAreReadBackAsTheyWereCut) {
  const std::string source = (folder_ / "source").string();
  ASSERT_EQ(spotsim(kTwoPools + source), 0) << err_;
  const fs::path windows = folder_ / "windows.txt.gz";
  const std::string command = "trace windows " + source + "/us-west-2a_p3.2xlarge.json " + source +
                              "/us-west-2b_p3.2xlarge.json --length 60h --count 30 --out " +
                              windows.string();
  ASSERT_EQ(spotsim(command + " --seed 5"), 0) << err_;
  const auto cut = traces::read_availability(windows);
  ASSERT_EQ(cut.pools.size(), 60u);
  const market::Pool pool{"p3.2xlarge", "us-west-2b"};
  const traces::CapacitySeries whole =
      traces::read_availability(source + "/us-west-2b_p3.2xlarge.json").pools.at(pool);
  // Each window is a part of its trace: at some tick, the trace has the same values.
  const Time begin = whole.steps.front().at;
  const auto all = traces::sample(whole, begin, whole.end, 10min);
  for (const auto& [name, window] : cut.pools) {
    if (name.availability_zone != pool.availability_zone) continue;
    EXPECT_EQ(window.end - Time{}, Duration(60h));
    const auto ticks = traces::sample(window, Time{}, window.end, 10min);
    EXPECT_NE(std::search(all.begin(), all.end(), ticks.begin(), ticks.end()), all.end());
  }
  ASSERT_EQ(spotsim(command + " --seed 6"), 0) << err_;
  EXPECT_NE(traces::read_availability(windows), cut);
  // An index of other windows is not overwritten.
  EXPECT_EQ(spotsim(command + " --seed 5 --tick 5m"), 2);
  EXPECT_NE(err_.find("index of other windows"), std::string::npos) << err_;
  ASSERT_EQ(spotsim("trace windows " + source +
                    "/us-west-2a_p3.2xlarge.json --length 600h --tick "
                    "1h --count 1 --seed 1 --out " +
                    (folder_ / "source" / "w.txt").string()),
            0)
      << err_;
  const auto hourly = traces::read_availability(folder_ / "source" / "w.txt");
  EXPECT_EQ(hourly.pools.at({"p3.2xlarge#0000", "us-west-2a"}).end - Time{}, Duration(600h));
}

}  // namespace
}  // namespace sim::cli
