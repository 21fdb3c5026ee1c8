#include "sim/sweep/file/sweep_file.h"

#include <gtest/gtest.h>

#include <fstream>

#include "sim/scenario/scenario.h"
#include "sim/sweep/run_all_for_test.h"
#include "sim/sweep/tick_sweep.h"

namespace sim::sweep {
namespace {

namespace fs = std::filesystem;

const fs::path kSweeps = fs::path(SPOTSIM_SOURCE_DIR) / "scenarios/sweeps";

constexpr const char* kSweep = R"(name: pools
policies: [on-demand, greedy+lowest-price+bid-share:0.4, optimum]
job:
  work: 8h
  deadline: 20h
  changeover: 10m
  tick: 10m
  moves: {between_zones: {egress: 0.20, time: 5m}, between_regions: {egress: 0.40, time: 10m}}
prices: {on_demand: 0.65, spot: 0.07}
traces:
  - pools:
      - file: ../traces/bid-era.json.gz
        select: [g2.2xlarge/us-east-1a, g2.2xlarge/us-east-1e]
        on_demand: 0.60
      - {file: ../traces/bid-era.json.gz, select: [g2.2xlarge/us-east-1b], on_demand: 0.70}
    length: 24h
    count: 5
    seed: 3
)";

SweepFile parse(const std::string& text) { return parse_sweep(text, kSweeps / "s.yaml"); }

// The message, without the file's name, for the sweep with `from` replaced by `to`.
std::string complaint(const std::string& from, const std::string& to) {
  std::string text = kSweep;
  text.replace(text.find(from), from.size(), to);
  try {
    parse(text);
  } catch (const scenario::ScenarioError& error) {
    const std::string what = error.what();
    return what.substr(what.find("s.yaml") + 7);
  }
  return "no error";
}

// "[1h, 2h, …]" with this many items.
std::string hours_up_to(int most) {
  std::string all = "[1h";
  for (int h = 2; h <= most; ++h) all += ", " + std::to_string(h) + "h";
  return all + "]";
}

TEST(SweepFile, TooManySettingsAreRefusedBeforeTheyAreMade) {
  std::string text = kSweep;
  for (const auto& [from, to] : {std::pair{"work: 8h", "work: "},
                                 {"deadline: 20h", "deadline: "},
                                 {"changeover: 10m", "changeover: "}})
    text.replace(text.find(from), std::string(from).size(), to + hours_up_to(8000));
  try {
    parse(text);
    FAIL();
  } catch (const scenario::ScenarioError& error) {
    EXPECT_NE(std::string(error.what())
                  .find("s.yaml:4:3: job: found more than 100000 combinations of values"),
              std::string::npos)
        << error.what();
  }
  EXPECT_THROW(parse("name: f\nfailing_job: {checkpoint: 1m, price: 3, intervals: [1h], work: " +
                     hours_up_to(8000) + ", restart: " + hours_up_to(8000) +
                     ", mean: " + hours_up_to(8000) + "}\n"),
               scenario::ScenarioError);
}

TEST(SweepFile, PublishedMeansAreOneOrOneForEachSetting) {
  EXPECT_EQ(
      complaint("prices: {", "published: {on-demand: [1, 2]}\nprices: {"),
      "9:24: published.on-demand: found 2 means, expected one, or one for each of 1 settings");
}

TEST(SweepFile, PricesAndMovesHaveBounds) {
  EXPECT_EQ(complaint("on_demand: 0.65", "on_demand: 1000.01"),
            "9:21: prices.on_demand: found \"1000.01\", expected US dollars an hour, at most 1000");
  EXPECT_EQ(
      complaint("egress: 0.40", "egress: 1000001"),
      "8:78: job.moves.between_regions.egress: found \"1000001\", expected US dollars a move, "
      "at most a million a move");
  EXPECT_EQ(
      complaint("{between_zones: {egress: 0.20, time: 5m}, between_regions: {egress: 0.40",
                "{gigabytes: 1e6, between_zones: {egress: 1, time: 5m}, between_regions: "
                "{egress: 1.01"),
      "8:91: job.moves.between_regions.egress: found \"1.01\", expected US dollars a gigabyte, "
      "at most a million a move");
}

TEST(SweepFile, PoolsStandSideBySideAtTheirOwnPrices) {
  const auto sweep = parse(kSweep).sweep;
  const Grid& grid = sweep->grid();
  EXPECT_EQ(grid.cases.size(), 5);
  EXPECT_EQ(grid.cases.points[4],
            (std::vector<std::string>{
                "us-east-1a_g2.2xlarge+us-east-1e_g2.2xlarge+us-east-1b_g2.2xlarge", "4"}));
  const Rows rows = sweep::run_all(*sweep);
  for (std::size_t i = 0; i < rows.size(); i += 3) {
    // 8 h and the changeover in the cheapest pool: 49 ticks of ten minutes at $0.60.
    EXPECT_EQ(rows.measures(i)[sweep::kCost], 4'900'000'000);
    EXPECT_EQ(rows.measures(i)[sweep::kBaseline], 4'900'000'000);
    EXPECT_LE(rows.measures(i + 2)[sweep::kCost], rows.measures(i + 1)[sweep::kCost]);
    EXPECT_LT(rows.measures(i + 1)[sweep::kCost], 4'900'000'000);
  }
}

TEST(SweepFile, UnknownStrategyIsAnErrorWithTheListOfWhatThereIs) {
  const std::string unknown = complaint("greedy+lowest-price", "greedy+cheapest");
  EXPECT_EQ(unknown.rfind("2:23: policies[1]: strategy part 'cheapest': is unknown", 0), 0u)
      << unknown;
  for (const char* known : {"utility:MARGIN", "hop-for-price:SHARE", "bid-quantile:Q", "optimum"})
    EXPECT_NE(unknown.find(known), std::string::npos) << known;
  EXPECT_NE(complaint("greedy+lowest", "greed+lowest").find("round-robin"), std::string::npos);
}

TEST(SweepFile, StatesTheShareOfRunsThatMayBeLate) {
  EXPECT_EQ(parse(kSweep).sweep->grid().late_allowed, 0);
  EXPECT_EQ(parse("late_allowed: 0.05\n" + std::string(kSweep)).sweep->grid().late_allowed, 0.05);
  for (const char* wrong : {"-0.1", "1.5", "some"})
    EXPECT_EQ(complaint("name: pools", "late_allowed: " + std::string(wrong) + "\nname: pools")
                  .rfind("1:15: late_allowed: found ", 0),
              0u)
        << wrong;
}

TEST(SweepFile, ReportsErrorsOfPools) {
  const auto expect = [](const std::string& message, const std::string& part) {
    EXPECT_NE(message.find(part), std::string::npos) << message;
  };
  expect(complaint("[g2.2xlarge/us-east-1b]", "[g2.2xlarge/us-east-1f]"),
         "15:52: traces[0].pools[1].select[0]: found \"g2.2xlarge/us-east-1f\", expected a pool of "
         "../traces/bid-era.json.gz: g2.2xlarge/us-east-1a, ");
  expect(complaint("length: 24h", "length: 900h"), "found no time that all cover");
  expect(complaint("count: 5", "count: 1000000"), "found 432000000 ticks of all windows and pools");
  expect(complaint("on_demand: 0.70", "on_demand: 0"), "above 0");
  expect(complaint("on_demand: 0.70", "ondemand: 0.70"), "unknown key \"ondemand\"");
  expect(complaint("egress: 0.40, time: 10m", "egress: 0.40, time: 1m"),
         "moves between regions are cheaper or quicker");
  expect(complaint("{egress: 0.40, time: 10m}", "{egress: 0.40}"),
         "expected a duration such as 5m");
  expect(complaint("{file: ../traces/bid-era.json.gz, select: [g2.2xlarge/us-east-1b], "
                   "on_demand: 0.70}",
                   "../traces/windows/windows_8x20.txt.gz"),
         "is a window already, expected the trace that it was cut from");
}

TEST(SweepFile, APoolsPricesCanComeFromAnotherFile) {
  const fs::path folder = fs::path(testing::TempDir()) / "spotsim-joined-prices";
  fs::create_directories(folder / "prices");
  const std::string name = "us-west-2a_v100_1.json";
  std::ofstream(folder / name) << R"({"metadata": {"gap_seconds": 600}, "data": [1,1,1,1,1,1]})";
  std::ofstream(folder / "prices" / name)
      << R"({"prices": [0.6, 0.6, 0.6, 1.2, 1.2, 1.2], "gap_seconds": 600})";
  const auto with = [&](const std::string& traces) {
    return parse_sweep(
        "name: joined\npolicies: [spot-only]\n"
        "job: {work: 50m, deadline: 1h, changeover: 0s, tick: 10m}\n"
        "prices: {on_demand: 3, spot: 2.5}\ntraces:\n  - " +
            traces,
        folder / "s.yaml");
  };
  const std::string file = "{file: " + name, prices = ", prices: prices/" + name + "}";
  for (const std::string& traces : {file + prices, "pools: [" + file + prices + "]"}) {
    const Rows rows = with(traces).sweep->run(std::vector<std::int64_t>{0});
    EXPECT_EQ(rows.measures(0)[sweep::kCost], 700'000'000) << traces;  // 3 · $0.10 + 2 · $0.20
  }
  try {
    with(file + ", prices: " + name + "}");
    FAIL() << "no error";
  } catch (const scenario::ScenarioError& error) {
    EXPECT_NE(std::string(error.what())
                  .find("s.yaml:6:44: traces[0].prices: found \"us-west-2a_v100"
                        "_1.json\", expected a trace of prices, in addition to one of "
                        "availability"),
              std::string::npos)
        << error.what();
  }
  fs::remove_all(folder);
}

// Like SkyNomad's folders: the whole trace beside windows cut from it.
TEST(SweepFile, TheWholeTraceInAPoolsFolderIsCutAndOnlyItsWindowsAreWindows) {
  const fs::path folder = fs::path(testing::TempDir()) / "spotsim-whole-trace";
  fs::create_directories(folder / "us-west-2a_v100_1");
  for (const char* name : {"full.json", "0.json"})
    std::ofstream(folder / "us-west-2a_v100_1" / name)
        << R"({"metadata": {"gap_seconds": 600}, "data": [1,1,1,1,1,1,1,1,1,1,1,1]})";
  const auto with = [&](const std::string& traces) {
    const auto sweep = parse_sweep(
        "name: whole\npolicies: [spot-only]\n"
        "job: {work: 50m, deadline: 1h, changeover: 0s, tick: 10m}\n"
        "prices: {on_demand: 3, spot: 2.5}\ntraces:\n  - " +
            traces,
        folder / "s.yaml");
    return sweep.sweep->grid().cases.size();
  };
  EXPECT_EQ(with("{file: us-west-2a_v100_1/full.json, length: 1h, count: 3}"), 3);
  EXPECT_EQ(with("{pools: [us-west-2a_v100_1/full.json], length: 1h, count: 4}"), 4);
  EXPECT_EQ(with("{file: us-west-2a_v100_1/0.json}"), 1);
  EXPECT_THROW(with("{pools: [us-west-2a_v100_1/0.json], length: 1h}"), scenario::ScenarioError);
  fs::remove_all(folder);
}

TEST(SweepFile, AnOptimumThatWouldTakeTooManyStatesIsAnErrorBeforeTheFirstRun) {
  const std::string text = complaint("changeover: 10m", "changeover: 1us");
  EXPECT_EQ(text.rfind("4:3: job: optimum: tick, changeover", 0), 0u) << text;
}

TEST(SweepFile, ReadySweepsHaveTheirTracesBesideThem) {
  EXPECT_EQ(read_sweep(kSweeps / "bid-era-drawn.yaml").sweep->grid().cases.size(), 100);
  EXPECT_EQ(read_sweep(kSweeps / "drawn-windows.yaml").sweep->grid().cases.size(), 160);
  EXPECT_EQ(read_sweep(kSweeps / "az-strategies.yaml").sweep->grid().cases.size(), 100);
  EXPECT_EQ(read_sweep(kSweeps / "cant-be-late.yaml").sweep->grid().cases.size(), 2400);
}

// In addition to the compared windows, windows at fixed starts.
TEST(SweepFile, WindowsStartAtGivenPlacesOrDistances) {
  const auto cases = [](const std::string& how) {
    std::string text = kSweep;
    const std::string random = "    count: 5\n    seed: 3\n";
    text.replace(text.find(random), random.size(), "    " + how + "\n");
    return parse(text).sweep->grid().cases.size();
  };
  EXPECT_EQ(cases("starts: [0s, 24h, 10m]"), 3);
  EXPECT_EQ(cases("every: 24h"), 28);
  EXPECT_NE(complaint("count: 5", "starts: [0s]").find("found `seed`"), std::string::npos);
  EXPECT_NE(complaint("count: 5\n    seed: 3", "every: 15m").find("a multiple of the job's tick"),
            std::string::npos);
  EXPECT_NE(complaint("count: 5\n    seed: 3", "starts: [0s, 1000h]").find("found 1 of 2 windows"),
            std::string::npos);
  EXPECT_NE(complaint("count: 5", "every: 24h\n    starts: [0s]").find("expected one of them"),
            std::string::npos);
}

TEST(SweepFile, MovesBetweenRegionsHaveATableOfPairs) {
  const auto moves = [](const std::string& zone) {
    std::string text = kSweep;
    const std::string from =
        text.substr(text.find("moves:"), text.find("prices:") - text.find("moves:"));
    text.replace(text.find(from), from.size(),
                 "moves:\n    gigabytes: 50\n    between_zones: {egress: 0, time: 0s}\n"
                 "    between_regions: {egress: 0.02, time: 5m}\n"
                 "    pairs: {" +
                     zone + "/us-east-2: {egress: 0.01, time: 1m}}\n");
    const auto sweep = parse(text).sweep;
    return dynamic_cast<const TickSweep&>(*sweep).plan().settings.front().gigabytes;
  };
  EXPECT_EQ(moves("us-east-1"), 50);
  EXPECT_NE(
      complaint(
          "between_regions: {egress: 0.40, time: 10m}",
          "between_regions: {egress: 0.40, time: 10m}, pairs: {us-east-1: {egress: 1, time: 0s}}")
          .find("expected two regions"),
      std::string::npos);
}

TEST(SweepFile, WorkMayBeStatedByTheDeadline) {
  std::string text = kSweep;
  text.replace(text.find("work: 8h"), 8, "deadline_ratio: [1.5, 2]");
  const auto sweep = parse(text).sweep;
  const auto& settings = dynamic_cast<const TickSweep&>(*sweep).plan().settings;
  ASSERT_EQ(settings.size(), 2u);
  EXPECT_EQ(settings[0].work, 48000s);
  EXPECT_EQ(settings[1].work, 10h);
  EXPECT_EQ(settings[1].deadline_ratio, 2);
  EXPECT_NE(complaint("work: 8h", "work: 8h\n  deadline_ratio: 2").find("expected one of the two"),
            std::string::npos);
  EXPECT_NE(complaint("work: 8h", "deadline_ratio: 0.9").find("from 1 to 1000"), std::string::npos);
}

TEST(SweepFile, ConventionsNeedWholeTicksAndHaveNoOptimum) {
  EXPECT_NE(
      complaint("traces:", "conventions: skynomad\ntraces:").find("expected also `billing: ticks`"),
      std::string::npos);
  EXPECT_NE(complaint("traces:", "billing: ticks\nconventions: skynomad\ntraces:")
                .find("spotsim's own conventions only"),
            std::string::npos);
  EXPECT_NE(complaint("traces:", "conventions: theirs\ntraces:").find("expected skynomad"),
            std::string::npos);
  EXPECT_NE(
      complaint("traces:", "published: {greedy: 1}\ntraces:").find("one of the sweep's policies"),
      std::string::npos);
}

}  // namespace
}  // namespace sim::sweep
