#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <pugixml.hpp>
#include <string>
#include <vector>

#include "sim/cli/trace/trace_command_for_test.h"
#include "sim/market/price_history.h"
#include "sim/sweep/file/sweep_file.h"
#include "sim/ticks/windows.h"
#include "sim/traces/availability.h"
#include "sim/traces/price_formats.h"
#include "sim/traces/trace_file.h"

namespace sim::cli {
namespace {

using market::PriceHistory;

// The ```sh blocks of the README: one command each, with joined lines and without the program's
// name.
std::vector<std::string> commands_in_readme() {
  const std::string text = contents_of(kTraces / "README.md"), begin = "```sh\nspotsim ";
  std::vector<std::string> commands;
  for (std::size_t at = 0; (at = text.find(begin, at)) != std::string::npos;) {
    at += begin.size();
    std::string command = text.substr(at, text.find("```", at) - at);
    for (std::size_t end; (end = command.find("\\\n")) != std::string::npos;)
      command.replace(end, 2, " ");
    commands.push_back(command.substr(0, command.find('\n')));
  }
  return commands;
}

// True if NOTICE.md names the file: other people recorded it.
bool is_of_others(const fs::path& file) {
  const std::string folder = fs::relative(file, kTraces).begin()->string();
  return contents_of(kTraces / "NOTICE.md").find("| `" + folder + "/") != std::string::npos;
}

TEST_F(TraceCommand, OfTheReadmeMakeTheShippedTracesAgain) {
  const std::vector<std::string> commands = commands_in_readme();
  ASSERT_EQ(commands.size(), 5u);
  const fs::path here = fs::current_path();
  fs::create_directories(folder_ / "windows");
  fs::current_path(folder_);
  for (const std::string& command : commands) EXPECT_EQ(spotsim(command), 0) << err_;
  fs::current_path(here);
  int compared = 0;
  for (const auto& entry : fs::recursive_directory_iterator(kTraces)) {
    if (!entry.is_regular_file() || entry.path().extension() == ".md") continue;
    if (is_of_others(entry.path())) continue;
    const fs::path again = folder_ / fs::relative(entry.path(), kTraces);
    EXPECT_EQ(traces::load_trace_file(again).text, traces::load_trace_file(entry.path()).text)
        << entry.path();
    ++compared;
  }
  EXPECT_EQ(compared, 3 + 8 + 2);
}

TEST_F(TraceCommand, ShippedWindowsMakeASweep) {
  const auto sweep =
      sweep::read_sweep(fs::path(SPOTSIM_SOURCE_DIR) / "scenarios/sweeps/drawn-windows.yaml");
  EXPECT_EQ(sweep.sweep->grid().cases.size(), 160);
  const auto windows = ticks::cut(
      traces::read_availability(kTraces / "windows/windows_8x20.txt.gz"), {.tick = 10min});
  ASSERT_EQ(windows.size(), 160u);
  std::map<std::int64_t, Duration> starts;  // of each number, in all markets
  for (const auto& window : windows) {
    EXPECT_EQ(window.place.kind, ticks::WindowOrigin::Kind::kInTrace);
    EXPECT_EQ(window.place.length, 60h);
    EXPECT_EQ(starts.emplace(window.number, window.place.from).first->second, window.place.from);
  }
  EXPECT_EQ(starts.size(), 20u);
  EXPECT_EQ(starts.at(0), 925 * 600s);
  double there = 0, all = 0;
  for (const auto& window : windows)
    for (const bool up : window.pools.pools.front().spot.available) there += up, all += 1;
  EXPECT_EQ(all, 160 * 360);
  EXPECT_GT(there / all, 0.5);
  EXPECT_LT(there / all, 0.9);
}

TEST_F(TraceCommand, ShippedTraceHasZoneBCheapestThenA) {
  const PriceHistory history = traces::read_price_history(kTraces / "us-west-2-gpu.json");
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

TEST_F(TraceCommand, InspectDescribesATrace) {
  const fs::path file = folder_ / "us-east-1a-Linux-c3.xlarge.csv";
  std::ofstream(file) << "timestamp,price_usd_h\n2015-01-01,0.01\n2015-01-02,0.04\n"
                         "2015-01-04,0.02\n";
  ASSERT_EQ(spotsim("trace inspect --json " + file.string()), 0) << err_;
  auto said = nlohmann::json::parse(out_);
  EXPECT_EQ(said["files"][0]["format"], "csv-timestamps");
  EXPECT_EQ(said["files"][0]["meaning"], "US dollars an hour");
  said.erase("files");
  EXPECT_EQ(said, nlohmann::json::parse(R"({"pools": [{
      "instance_type": "c3.xlarge", "availability_zone": "us-east-1a", "points": 3,
      "first": "2015-01-01T00:00:00Z", "last": "2015-01-04T00:00:00Z",
      "min": "0.0100", "mean": "0.0300", "max": "0.0400"}]})"));
  ASSERT_EQ(spotsim("trace inspect " + file.string()), 0);
  EXPECT_NE(out_.find("c3.xlarge/us-east-1a"), std::string::npos);
}

TEST_F(TraceCommand, InspectExplainsWhatAOneMeans) {
  const fs::path windows = folder_ / "windows.txt", log = folder_ / "us-west-2b_k80_8.json";
  std::ofstream(windows) << "0011\n1100\n";
  std::ofstream(log) << R"({"metadata": {"gap_seconds": 600}, "data": [1, 0, 4]})";
  ASSERT_EQ(spotsim("trace inspect " + windows.string()), 0) << err_;
  EXPECT_NE(out_.find("windows.txt: windows: 1 is unavailable\n"), std::string::npos) << out_;
  ASSERT_EQ(spotsim("trace inspect " + log.string()), 0) << err_;
  EXPECT_NE(out_.find("k80_8.json: capacity-json: instances available\n"), std::string::npos);
}

TEST_F(TraceCommand, StatsTakesPricesAndAvailability) {
  const std::string prices = (kTraces / "us-west-2-gpu.json").string();
  ASSERT_EQ(spotsim("trace stats --json " + prices + " --type p3.2xlarge"), 0) << err_;
  const auto of_prices = nlohmann::json::parse(out_);
  EXPECT_EQ(of_prices["pools"].size(), 4u);
  EXPECT_EQ(of_prices["correlations"].size(), 6u);
  for (const auto& pool : of_prices["pools"])
    EXPECT_LE(pool["p5"].get<std::string>(), pool["p95"].get<std::string>());
  ASSERT_EQ(spotsim("trace stats " + prices), 0) << err_;

  // Missing observations are not zero.
  const fs::path always = folder_ / "always.txt";
  std::ofstream(always) << "000000000000\n";
  ASSERT_EQ(spotsim("trace stats " + always.string()), 0) << err_;
  EXPECT_NE(out_.find(" 100.00%      0        -        -        -\n"), std::string::npos) << out_;
  ASSERT_EQ(spotsim("trace stats --json " + always.string()), 0) << err_;
  for (const char* mean :
       {"mean_time_between_interruptions_hours", "mean_up_hours", "mean_down_hours"})
    EXPECT_TRUE(nlohmann::json::parse(out_)["pools"][0][mean].is_null()) << mean;

  const fs::path windows = folder_ / "windows.txt";
  std::ofstream(windows) << "001100110011011010\n";
  ASSERT_EQ(spotsim("trace stats --json " + windows.string()), 0) << err_;
  const auto pool = nlohmann::json::parse(out_)["pools"][0];
  EXPECT_DOUBLE_EQ(pool["available"], 9.0 / 18);
  EXPECT_EQ(pool["fits"]["down"].size(), 3u);
  for (const auto& [law, fit] : pool["fits"]["down"].items()) {
    EXPECT_TRUE(fit["p"].get<double>() > 0 && fit["p"].get<double>() <= 1) << law;
    EXPECT_EQ(fit["aic"].is_null(), law == "bathtub");
  }
  EXPECT_EQ(spotsim("trace stats " + prices + " " + windows.string()), 2);
  EXPECT_NE(err_.find("windows#0000: found no prices of it"), std::string::npos) << err_;
  EXPECT_EQ(spotsim("trace stats " + windows.string() + " --pool v100_1/us-west-2a"), 2);
  EXPECT_NE(err_.find("expected one of windows#0000"), std::string::npos) << err_;
}

TEST_F(TraceCommand, PlotIsOneSelfContainedPicture) {
  const std::string prices = (kTraces / "us-west-2-gpu.json").string();
  const fs::path svg = folder_ / "trace.svg";
  ASSERT_EQ(spotsim("trace plot " + prices + " --out " + svg.string()), 0) << err_;
  pugi::xml_document document;
  ASSERT_TRUE(document.load_file(svg.c_str()));
  EXPECT_EQ(document.select_nodes("//path[@stroke='#b3541e']").size(), 12u);  // a line a pool
  EXPECT_EQ(document.select_nodes("//text[text()='2019-11-06']").size(), 1u);
  EXPECT_EQ(contents_of(svg).find("href"), std::string::npos);

  const std::string source = (folder_ / "source").string();
  ASSERT_EQ(spotsim(kTwoPools + source), 0) << err_;
  ASSERT_EQ(spotsim("trace plot " + source + "/us-west-2a_p3.2xlarge.json --out " + svg.string()),
            0);
  ASSERT_TRUE(document.load_file(svg.c_str()));
  EXPECT_EQ(document.select_nodes("//path[@fill='#8fbcd4']").size(), 1u);

  std::ofstream(folder_ / "w.txt") << "01\n01\n01\n01\n01\n01\n01\n01\n01\n01\n01\n01\n01\n";
  EXPECT_EQ(spotsim("trace plot " + (folder_ / "w.txt").string() + " --out " + svg.string()), 2);
  EXPECT_NE(err_.find("found 13 pools, expected at most 12: --pool"), std::string::npos) << err_;
  EXPECT_EQ(spotsim("trace plot " + prices + " --out prices.gif"), 2);
  EXPECT_NE(err_.find("--out: found prices.gif, expected a file that ends in .svg, .png or .html"),
            std::string::npos)
      << err_;
}

TEST_F(TraceCommand, PlotWritesAPngIfTheProgramExists) {
  const fs::path png = folder_ / "trace.png";
  const int status =
      spotsim("trace plot " + (kTraces / "us-west-2-gpu.json").string() + " --out " + png.string());
  if (status == 2) {
    EXPECT_NE(err_.find("install it (apt-get install librsvg2-bin)"), std::string::npos) << err_;
    GTEST_SKIP() << "there is no rsvg-convert";
  }
  EXPECT_EQ(contents_of(png).substr(0, 8), "\x89PNG\r\n\x1a\n");
}

TEST_F(TraceCommand, ReportsUnknownNamesWithTheKnownOnes) {
  const std::string trace = (kTraces / "us-west-2-gpu.json").string();
  const auto complaint = [&](const std::string& arguments) {
    EXPECT_EQ(spotsim(arguments), 2) << arguments;
    EXPECT_FALSE(fs::exists(folder_ / "out.json")) << arguments;
    return err_;
  };
  EXPECT_EQ(complaint("trace inspect " + trace + " --type p3.2xlrge"),
            "spotsim: --type: found no \"p3.2xlrge\", expected one of m4.xlarge, p2.xlarge, "
            "p3.2xlarge\n");
  EXPECT_EQ(complaint("trace stats " + trace + " --zone us-west-2e"),
            "spotsim: --zone: found no \"us-west-2e\", expected one of us-west-2a, us-west-2b, "
            "us-west-2c, us-west-2d\n");
  EXPECT_NE(
      complaint("trace inspect " + trace + " --pool p9/us-west-2a").find("m4.xlarge/us-west-2a, "),
      std::string::npos);
  EXPECT_EQ(complaint("trace import " + trace + " --from 2030-01-01" + out()),
            "spotsim: --from: found a time after the last price, expected 2019-11-10T00:00:00Z at "
            "most\n");
  const auto gap = (folder_ / "us-west-2a_p3.2xlarge.json").string();
  std::ofstream(gap) << R"({"metadata": {"gap_seconds": 0}, "data": [1]})";
  EXPECT_EQ(complaint("trace inspect " + gap),
            "spotsim: " + gap +
                ": found \"metadata.gap_seconds: 0\", expected a whole number of seconds from 1\n");
  std::ofstream(gap) << "{\"metadata\": {\"gap_seconds\": 600},\n\"data\": [1, 0,";
  EXPECT_EQ(complaint("trace inspect " + gap).rfind("spotsim: " + gap + ":2: JSON: found \"", 0),
            0u)
      << err_;
}

TEST_F(TraceCommand, RefusesBadInputWithExitStatus2AndWritesNothing) {
  const std::string trace = (kTraces / "us-west-2-gpu.json").string();
  const std::string synthesize = "trace synth" + out() + " --seed 1 ";
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
        "trace import " + trace + " --tick 10m" + out(),
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
        synthesize + days + pool + "--interval 9000d",
        synthesize + days + pool + "--reversion 101",
        synthesize + days + pool + "--pool p3.2xlarge/us-west-2a=5h:2h",
        synthesize + days + "--pool p3.2xlarge/us-west-2a=5h",
        synthesize + days + "--pool p3.2xlarge/us-west-2a=5h:-2h",
        synthesize + days + "--pool p3.2xlarge/us-west-2a=5h:2h --tick 1ms",
        synthesize +
            "--from 1970-01-01 --to 2149-01-01 --pool p3.2xlarge/us-west-2a=5h:2h --tick 1s",
        synthesize + days + "--pool p3.2xlarge/us-west-2a=5h:2h --up-shape 0",
        synthesize + trace + " --law normal",
        synthesize + trace + " --from 2020-01-01 --to 2019-01-01",
        "trace windows " + trace + " --length 60h --count 2 --seed 1" + out()}) {
    EXPECT_EQ(spotsim(arguments), 2) << arguments;
    EXPECT_TRUE(nothing_written()) << arguments;
    EXPECT_EQ(out_, "") << arguments;
  }
}

}  // namespace
}  // namespace sim::cli
