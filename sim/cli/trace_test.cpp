#include "sim/cli/trace.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "sim/market/price_history.h"

namespace sim::cli {
namespace {

namespace fs = std::filesystem;
using market::PriceHistory;

const fs::path kTraces = fs::path(SPOTSIM_SOURCE_DIR) / "scenarios" / "traces";

std::string contents(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

class TraceCommand : public testing::Test {
 protected:
  void SetUp() override {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::path(testing::TempDir()) / ("spotsim-" + std::string(test->name()));
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  // The exit status of `spotsim …`; what it prints is in out_ and err_.
  int spotsim(const std::string& arguments) {
    CLI::App app;
    int status = 0;
    add_trace_command(app, status);
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    try {
      app.parse(arguments);
    } catch (const CLI::ParseError&) {
      status = 2;
    }
    std::fflush(nullptr);
    out_ = testing::internal::GetCapturedStdout();
    err_ = testing::internal::GetCapturedStderr();
    return status;
  }
  bool nothing_written() const { return fs::is_empty(folder_); }
  std::string out() const { return " --out " + (folder_ / "out.json").string(); }
  PriceHistory written() const { return market::read_price_history(folder_ / "out.json"); }

  fs::path folder_;
  std::string out_, err_;
};

// The ```sh block of the README: one command, its lines joined.
std::string command_in_readme() {
  std::string text = contents(kTraces / "README.md");
  const std::size_t begin = text.find("```sh\nspotsim ") + std::string("```sh\nspotsim ").size();
  text = text.substr(begin, text.find("```", begin) - begin);
  for (std::size_t at; (at = text.find("\\\n")) != std::string::npos;) text.replace(at, 2, " ");
  return text.substr(0, text.find('\n'));
}

TEST_F(TraceCommand, OfTheReadmeGivesTheShippedTraceAgain) {
  std::string command = command_in_readme();
  const std::string out_option = "--out us-west-2-gpu.json";
  ASSERT_NE(command.find(out_option), std::string::npos) << command;
  command.replace(command.find(out_option), out_option.size(), out());
  ASSERT_EQ(spotsim(command), 0) << err_;
  EXPECT_EQ(contents(folder_ / "out.json"), contents(kTraces / "us-west-2-gpu.json"));
}

TEST_F(TraceCommand, ShippedTraceHasZoneBCheapestThenA) {
  const PriceHistory history = market::read_price_history(kTraces / "us-west-2-gpu.json");
  for (const char* type : {"p3.2xlarge", "p2.xlarge", "m4.xlarge"}) {
    std::map<std::string, std::pair<market::Usd, market::Usd>> ranges;
    for (const char* zone : {"us-west-2a", "us-west-2b", "us-west-2c", "us-west-2d"}) {
      const auto& points = history.pools.at({type, zone});
      const auto [least, most] =
          std::minmax_element(points.begin(), points.end(),
                              [](const auto& a, const auto& b) { return a.price < b.price; });
      ranges[zone] = {least->price, most->price};
    }
    EXPECT_LT(ranges["us-west-2b"].second, ranges["us-west-2a"].first) << type;
    EXPECT_LT(ranges["us-west-2a"].second, ranges["us-west-2c"].first) << type;
    EXPECT_LT(ranges["us-west-2a"].second, ranges["us-west-2d"].first) << type;
  }
}

TEST_F(TraceCommand, InspectSaysWhatATraceHolds) {
  const fs::path file = folder_ / "us-east-1a-Linux-c3.xlarge.csv";
  std::ofstream(file) << "timestamp,price_usd_h\n2015-01-01,0.01\n2015-01-02,0.04\n"
                         "2015-01-04,0.02\n";
  ASSERT_EQ(spotsim("trace inspect --json " + file.string()), 0) << err_;
  EXPECT_EQ(nlohmann::json::parse(out_), nlohmann::json::parse(R"({"pools": [{
      "instance_type": "c3.xlarge", "availability_zone": "us-east-1a", "points": 3,
      "first": "2015-01-01T00:00:00Z", "last": "2015-01-04T00:00:00Z",
      "min": "0.0100", "mean": "0.0300", "max": "0.0400"}]})"));
  ASSERT_EQ(spotsim("trace inspect " + file.string()), 0);
  EXPECT_NE(out_.find("c3.xlarge/us-east-1a"), std::string::npos);
}

TEST_F(TraceCommand, ImportFiltersAndWritesAwsJson) {
  const std::string trace = (kTraces / "us-west-2-gpu.json").string();
  ASSERT_EQ(spotsim("trace import " + trace + out()), 0) << err_;
  EXPECT_EQ(written(), market::read_price_history(trace));
  ASSERT_EQ(spotsim("trace import " + trace +
                    " --type p3.2xlarge --zone us-west-2a us-west-2b "
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

TEST_F(TraceCommand, SynthesizeKeepsToItsOptions) {
  const std::string common = "trace synthesize --from 2020-01-01 --to 2020-02-01 ";
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

TEST_F(TraceCommand, RefusesBadInputWithExitStatus2AndWritesNothing) {
  const std::string trace = (kTraces / "us-west-2-gpu.json").string();
  const std::string synthesize = "trace synthesize" + out() + " --seed 1 ";
  const std::string days = " --from 2020-01-01 --to 2020-02-01 ";
  const std::string pool = " --pool p3.2xlarge/us-west-2b=1 ";
  for (const std::string& arguments :
       {std::string("trace"),
        std::string("trace inspect"),
        "trace inspect " + folder_.string(),
        std::string("trace inspect no-such-file.json"),
        "trace import" + out(),
        "trace import " + trace,
        "trace import " + trace + " --from tomorrow" + out(),
        "trace import " + trace + " --type p9.large" + out(),
        "trace import " + trace + " --to 2001-01-01" + out(),
        synthesize + days,
        synthesize + days + "--pool p3.2xlarge",
        synthesize + days + "--pool p3/us-west-2b=1",
        synthesize + days + "--pool p3.2xlarge/Oregon=1",
        synthesize + days + "--pool p3.2xlarge/us-west-2b=free",
        synthesize + days + "--pool p3.2xlarge/us-west-2b=0",
        synthesize + days + "--pool p3.2xlarge/us-west-2b=1:2..3",
        synthesize + days + "--pool p3.2xlarge/us-west-2b=1:0.5",
        synthesize + days + "--pool p3.2xlarge/us-west-2b=99999999",
        synthesize + days + pool + pool,
        synthesize + days + pool + "--interval 5",
        synthesize + days + pool + "--interval 1s",
        synthesize + days + pool + "--volatility -1",
        synthesize + days + pool + "--volatility nan",
        synthesize + pool + "--from 2020-02-01 --to 2020-01-01",
        synthesize + pool + "--from 1700-01-01 --to 2200-01-01",
        synthesize + pool + "--from 1970-01-01 --to 2199-01-01 --interval 1m",
        synthesize + days + pool + "--interval 9000d"}) {
    EXPECT_EQ(spotsim(arguments), 2) << arguments;
    EXPECT_TRUE(nothing_written()) << arguments;
    EXPECT_EQ(out_, "") << arguments;
  }
}

}  // namespace
}  // namespace sim::cli
