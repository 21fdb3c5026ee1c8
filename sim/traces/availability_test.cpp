// Every format of availability traces: a small sample of each, damaged samples, and the real data
// sets on machines that have them.
#include "sim/traces/availability.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "sim/kernel/random.h"
#include "sim/traces/availability.h"
#include "sim/traces/availability_formats.h"
#include "sim/traces/trace_file.h"

namespace sim::traces {
namespace {

namespace fs = std::filesystem;

std::vector<TraceFile> samples() {
  return {
      {"us-west-2a_v100_1.json", R"({"metadata": {"gap_seconds": 600}, "data": [1, 1, 0, 16], )"
                                 R"("prices": [0.9, 0.9, 0.918, 1]})"},
      {"us-east4-a_h100_16.json",
       R"({"metadata": {"gap_seconds": 600, "start_time": "2025-10-04T00:10:00+00:00", )"
       R"("price_info": {"price": 19}}, "data": [1, 0, 0, 1]})"},
      {"p3-trace.csv", "0,add,node1\n0,add,node2\n60000,remove,node1\n120000,add,node3\n"},
      {"trace_hl.txt",
       "[0, \"add\", {\"nodes\": [\"node-0\", \"node-1\"]}]\n"
       "[60000, \"no-op\", {\"nodes\": []}]\n[120000, \"remove\", {\"nodes\": [\"node-1\"]}]\n"},
      {"p3.csv", "0,1\n0,2\n60000,3\n180000,1\n"},
      {"v100x1-east1c.txt",
       "2021-12-10, 13:07:45, 80\n2021-12-10, 13:09:45, 70\n"
       "2021-12-10, 13:08:45, 75\n"},
      {"us-east-1f_v100_1.csv",
       "date,availability\n2023-02-15 22:08:16,0\n2023-02-15 22:11:31,1\n"
       "2023-02-15 22:14:46,1\n"},
      {"us-west-2b_k80_8.txt",
       "0,2022-11-28T22:23:37.000Z,1\n1,2022-11-28T22:33:37.000Z,0\n"
       "2,2022-11-28T22:43:37.000Z,1\n"},
      {"h100.csv",
       "scheduled_at,status,us-east4-a,us-east4-b\n"
       "2025-10-03T17:10:00-07:00,success,16,0\n"
       "2025-10-03T17:20:00-07:00,failed,,\n"
       "2025-10-03T17:30:00-07:00,success,7,16\n"},
      {"windows.txt", "0011\n1100\n"},
  };
}

Time at(const char* text) { return parse_time(text).value(); }
Time after(Duration d) { return Time{d}; }

TEST(AvailabilityFormats, EachSampleIsRecognisedByItsFormatAlone) {
  const auto all = samples();
  const auto formats = availability_formats();
  ASSERT_EQ(all.size(), formats.size());
  for (const TraceFile& sample : all) {
    int recognised = 0;
    for (const AvailabilityFormat* format : formats) recognised += format->recognises(sample.text);
    EXPECT_EQ(recognised, 1) << sample.path;
  }
}

TEST(AvailabilityFormats, CapacityJsonCountsInstances) {
  const CapacitySeries s = parse_availability(samples()[0]).pools.at({"v100_1", "us-west-2a"});
  EXPECT_EQ(s.steps,
            (std::vector<CapacityStep>{{after(0s), 1}, {after(20min), 0}, {after(30min), 16}}));
  EXPECT_EQ(s.end, after(40min));
  EXPECT_EQ(s.prices.size(), 3u);
  EXPECT_EQ(s.prices[1], (market::PricePoint{after(20min), *market::parse_usd("0.918")}));
}

TEST(AvailabilityFormats, OneMeansUnavailableWhereTheSourceMeansIt) {
  const CapacitySeries json = parse_availability(samples()[1]).pools.at({"h100_16", "us-east4-a"});
  EXPECT_EQ(json.steps, (std::vector<CapacityStep>{{at("2025-10-04T00:10:00Z"), 0},
                                                   {at("2025-10-04T00:20:00Z"), 1},
                                                   {at("2025-10-04T00:40:00Z"), 0}}));
  const CapacitySeries log = parse_availability(samples()[7]).pools.at({"k80_8", "us-west-2b"});
  EXPECT_EQ(log.steps, (std::vector<CapacityStep>{{at("2022-11-28T22:23:37Z"), 0},
                                                  {at("2022-11-28T22:33:37Z"), 1},
                                                  {at("2022-11-28T22:43:37Z"), 0}}));
  const AvailabilityTrace windows = parse_availability(samples()[9]);
  EXPECT_EQ(windows.pools.at({"windows#0000", ""}).steps,
            (std::vector<CapacityStep>{{after(0s), 1}, {after(20min), 0}}));
  EXPECT_EQ(windows.pools.at({"windows#0001", ""}).steps,
            (std::vector<CapacityStep>{{after(0s), 0}, {after(20min), 1}}));
  const CapacitySeries dated = parse_availability(samples()[6]).pools.at({"v100_1", "us-east-1f"});
  EXPECT_EQ(dated.steps, (std::vector<CapacityStep>{{at("2023-02-15T22:08:16Z"), 0},
                                                    {at("2023-02-15T22:11:31Z"), 1}}));
}

TEST(AvailabilityFormats, NodesThatComeAndGoAreCounted) {
  const CapacitySeries bamboo = parse_availability(samples()[2]).pools.at({"p3-trace", ""});
  EXPECT_EQ(bamboo.steps,
            (std::vector<CapacityStep>{{after(0s), 2}, {after(60s), 1}, {after(120s), 2}}));
  const CapacitySeries parcae = parse_availability(samples()[3]).pools.at({"trace_hl", ""});
  EXPECT_EQ(parcae.steps, (std::vector<CapacityStep>{{after(0s), 2}, {after(120s), 1}}));
  EXPECT_EQ(parcae.end, after(180s));
  const CapacitySeries counts = parse_availability(samples()[4]).pools.at({"p3", ""});
  EXPECT_EQ(counts.steps,
            (std::vector<CapacityStep>{{after(0s), 2}, {after(60s), 3}, {after(180s), 1}}));
}

TEST(AvailabilityFormats, CountsWithDatesAreSortedAndFailedProbesSkipped) {
  const CapacitySeries gcp = parse_availability(samples()[5]).pools.at({"v100x1-east1c", ""});
  EXPECT_EQ(gcp.steps[1], (CapacityStep{at("2021-12-10T13:08:45Z"), 75}));
  const AvailabilityTrace probes = parse_availability(samples()[8]);
  EXPECT_EQ(probes.pools.at({"h100", "us-east4-a"}).steps,
            (std::vector<CapacityStep>{{at("2025-10-04T00:10:00Z"), 16},
                                       {at("2025-10-04T00:30:00Z"), 7}}));
}

TEST(AvailabilityFormats, ReportErrorsWithTheirPlaces) {
  const auto complaint = [](std::string name, std::string text) -> std::string {
    try {
      parse_availability({name, text});
    } catch (const TraceError& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_EQ(complaint("a.csv", "0,add,node1\n5,add,node1\n"),
            "a.csv:2: node: found \"node1\", expected a node that is not there already");
  EXPECT_EQ(complaint("a.csv", "0,add,node1\n5,remove,node2\n"),
            "a.csv:2: node: found \"node2\", expected a node that was added before");
  EXPECT_EQ(
      complaint("a.json", R"({"metadata": {"gap_seconds": 9, "price_info": 1}, "data": [2]})"),
      "a.json: data[0]: found \"2\", expected 0 (available) or 1 (unavailable)");
  EXPECT_NE(complaint("a.txt", "hello").find("looks like one of"), std::string::npos);
}

TEST(CapacitySeries, IsSampledTickByTick) {
  const CapacitySeries s{{{after(10s), 2}, {after(25s), 0}, {after(40s), 1}}, after(50s), {}};
  EXPECT_EQ(sample(s, after(0s), after(70s), 10s),
            (std::vector<std::int64_t>{0, 2, 2, 0, 1, 0, 0}));
}

// Changes, cuts, doubles or replaces one to six bytes, with texts that parsers often fail on.
std::string damage(std::string text, Stream& draw) {
  static const std::vector<std::string> kHostile = {
      "",     "\n",  ",",    "[",       "{", "\"",  "-1",        "1e999", "99999999999999999999",
      "null", "NaN", "\xff", "\\ud800", "Z", "add", "2262-04-12"};
  for (auto n = 1 + draw.below(6); n > 0 && !text.empty(); --n) {
    const std::size_t where = draw.below(text.size()), length = draw.below(9);
    switch (draw.below(4)) {
      case 0:
        text[where] = static_cast<char>(draw.below(256));
        break;
      case 1:
        text.erase(where, length);
        break;
      case 2:
        text.insert(where, text.substr(draw.below(text.size()), length * 3));
        break;
      default:
        text.replace(where, length, kHostile[draw.below(kHostile.size())]);
    }
  }
  return text;
}

TEST(AvailabilityFormats, DamagedFilesGiveATraceOrATraceError) {
  int read = 0, refused = 0;
  for (const TraceFile& sample : samples()) {
    Stream draw(sample.text.size());
    for (int i = 0; i < 1500; ++i) {
      const TraceFile damaged{sample.path, damage(sample.text, draw)};
      try {
        for (const auto& [pool, series] : parse_availability(damaged).pools) {
          ASSERT_FALSE(series.steps.empty());
          ASSERT_LT(series.steps.back().at, series.end);
          for (std::size_t k = 1; k < series.steps.size(); ++k)
            ASSERT_LT(series.steps[k - 1].at, series.steps[k].at) << damaged.text;
        }
        ++read;
      } catch (const TraceError& error) {
        ASSERT_EQ(std::string(error.what()).rfind(sample.path.string(), 0), 0u) << error.what();
        ++refused;
      }
    }
  }
  EXPECT_GT(read, 500);
  EXPECT_GT(refused, 2000);
}

class RealAvailability : public testing::Test {
 protected:
  void SetUp() override {
    const char* named = std::getenv("SPOTSIM_SHARED");
    traces_ = (named ? fs::path(named) : fs::path(SPOTSIM_SOURCE_DIR) / "../shared") / "traces";
    if (!fs::is_directory(traces_))
      GTEST_SKIP() << "no real traces: set SPOTSIM_SHARED to the folder that has traces/";
  }
  AvailabilityTrace read(const char* name) const { return read_availability(traces_ / name); }
  fs::path traces_;
};

double available(const CapacitySeries& s) {
  Duration up{};
  for (std::size_t i = 0; i < s.steps.size(); ++i)
    if (s.steps[i].instances > 0)
      up += (i + 1 < s.steps.size() ? s.steps[i + 1].at : s.end) - s.steps[i].at;
  return seconds(up) / seconds(s.end - s.steps.front().at);
}

std::int64_t most(const CapacitySeries& s) {
  std::int64_t most = 0;
  for (const CapacityStep& step : s.steps) most = std::max(most, step.instances);
  return most;
}

TEST_F(RealAvailability, BambooAndParcaeHaveTheKnownNumberOfNodes) {
  EXPECT_EQ(most(read("bamboo/p3-trace.csv").pools.at({"p3-trace", ""})), 32);
  EXPECT_EQ(most(read("bamboo/g4dn-trace.csv").pools.at({"g4dn-trace", ""})), 24);
  EXPECT_EQ(most(read("parcae/aws/traces/p3.csv").pools.at({"p3", ""})), 32);
  for (const char* model : {"bert", "gpt-1.5b", "gpt-6.7b", "resnet152", "vgg19"})
    for (const auto& entry : fs::directory_iterator(traces_ / "parcae/aws/traces" / model))
      EXPECT_EQ(read_availability(entry.path()).pools.begin()->second.end, after(1h)) << entry;
}

// Two sources describe this market with opposite polarity.
TEST_F(RealAvailability, WindowsArePartsOfTheTraceThatTheyWereCutFrom) {
  const auto windows = read("cant-be-late-2week-windows/windows_8x300x554.txt.gz");
  EXPECT_EQ(windows.pools.size(), 2400u);
  const auto whole =
      read("skypilot-spot-traces/availability/1-node/aws-10-26-2022/us-west-2b_v100_1.json");
  const CapacitySeries& series = whole.pools.at({"v100_1", "us-west-2b"});
  EXPECT_NEAR(available(series), 0.7158, 0.0001);
  EXPECT_EQ(windows.pools.at({"v100_1#0000", "us-west-2b"}).cut_at, 684 * 600s);
  const Time start = after(684 * 600s);
  EXPECT_EQ(
      sample(windows.pools.at({"v100_1#0000", "us-west-2b"}), Time{}, after(554 * 600s), 600s),
      sample(series, start, start + 554 * 600s, 600s));
}

TEST_F(RealAvailability, SkyNomadsTwoFormsOfOneTraceAgree) {
  const auto raw =
      read("skynomad/v100_multinode_raw/4-nodes-real-preemption/us-east-2a_v100_1.json");
  const auto converted = read("skynomad/converted_v100_4node_600s/us-east-2a_v100_1/full.json");
  EXPECT_NEAR(available(converted.pools.begin()->second), 1 - 0.3777, 0.0001);
  EXPECT_NEAR(available(raw.pools.begin()->second), 0.7492, 0.0001);
  const auto csv = read("skynomad/v100_9zone_csv/us-west-2b_v100_1.csv.gz");
  const auto json =
      read("skypilot-spot-traces/availability/1-node/aws-02-15-2023/us-west-2b_v100_1.json");
  // In this log by the same authors, 1 has the meaning that 0 has in SkyPilot's release.
  const auto log = read("skypilot-2022-logs/2022-11-28T22-23/us-west-2a_v100_1.txt.gz");
  EXPECT_GT(available(log.pools.begin()->second), 0.5);
  EXPECT_NEAR(available(csv.pools.begin()->second), available(json.pools.begin()->second), 0.01);
  EXPECT_EQ(read("skynomad/h100_16_probe_counts.csv.gz").pools.size(), 13u);
}

TEST_F(RealAvailability, EveryFileOfTheSetsCanBeRead) {
  int files = 0;
  for (const char* folder : {"skypilot-spot-traces", "skypilot-2022-logs"})
    for (const auto& entry : fs::recursive_directory_iterator(traces_ / folder))
      if (entry.is_regular_file()) {
        EXPECT_EQ(read_availability(entry.path()).pools.size(), 1u);
        ++files;
      }
  EXPECT_EQ(files, 34 + 16);
}

const market::Pool kPool{"v100_1", "us-west-2a"};
const Time kBegin = parse_time("2023-02-15T22:00:00Z").value();

AvailabilityTrace trace() { return {{{kPool, {{{kBegin, 1}}, kBegin + 10h, {}}}}}; }
market::PricePoint point(Time at, const char* price) {
  return {at, market::parse_usd(price).value()};
}
std::vector<market::PricePoint> joined(const market::PriceHistory& prices) {
  AvailabilityTrace both = trace();
  join_prices(both, prices);
  return both.pools.at(kPool).prices;
}
std::string join_complaint(const market::PriceHistory& prices) {
  try {
    joined(prices);
  } catch (const TraceError& error) {
    return error.what();
  }
  return "no error";
}

TEST(JoinPrices, TakesThePricesInForceFromBeginToEnd) {
  EXPECT_EQ(joined({{{kPool,
                      {point(kBegin - 2h, "1"), point(kBegin - 1h, "2"), point(kBegin + 1h, "2"),
                       point(kBegin + 2h, "3"), point(kBegin + 10h, "4")}}}}),
            (std::vector{point(kBegin, "2"), point(kBegin + 2h, "3")}));
}

TEST(JoinPrices, PricesWithoutAStartBeginWithTheTrace) {
  EXPECT_EQ(joined({{{kPool, {point(Time{}, "1"), point(Time{} + 195s, "2")}}}}),
            (std::vector{point(kBegin, "1"), point(kBegin + 195s, "2")}));
}

TEST(JoinPrices, TakesTheZonesPricesIfNoPoolHasTheName) {
  const std::vector<market::PricePoint> two{point(kBegin, "2")}, three{point(kBegin, "3")};
  EXPECT_EQ(joined({{{{"p3.2xlarge", "us-west-2a"}, two}, {{"p3.2xlarge", "us-west-2b"}, three}}}),
            two);
  EXPECT_EQ(joined({{{{"p3.2xlarge", "us-west-2a"}, two}, {kPool, three}}}), three);
  EXPECT_EQ(
      join_complaint({{{{"p3.2xlarge", "us-west-2a"}, two}, {{"p2.xlarge", "us-west-2a"}, two}}}),
      "v100_1/us-west-2a: found prices of several pools in its zone, expected of one, or of "
      "its name");
  EXPECT_EQ(join_complaint({{{{"p3.2xlarge", "us-west-2b"}, two}}}),
            "v100_1/us-west-2a: found no prices of it nor of its zone, but of "
            "p3.2xlarge/us-west-2b");
}

TEST(JoinPrices, RefusesPricesThatBeginAfterTheTrace) {
  EXPECT_EQ(join_complaint({{{kPool, {point(kBegin + 11h, "2")}}}}),
            "v100_1/us-west-2a: its prices begin at 2023-02-16T09:00:00Z, expected before its end "
            "at 2023-02-16T08:00:00Z");
}

}  // namespace

}  // namespace sim::traces
