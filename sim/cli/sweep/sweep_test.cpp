#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "sim/cli/sweep/sweep_command_for_test.h"

namespace sim::cli {
namespace {

constexpr const char* kSweep = R"(name: small
policies: [on-demand, greedy, "time-sliced:4", uniform-progress, optimum]
job: {work: [8h, 12h], deadline: 20h, changeover: 12m, tick: 10m}
prices: {on_demand: 3.06, spot: 0.9731}
traces:
  - draw: {up: 3h, down: 1h, length: 30h, count: 150, seed: 5}
  - draw: {market: worn, up: 3h, down: 1h, up_shape: 3, length: 30h, count: 80, seed: 6}
)";

class SweepCommandTest : public SweepOnTheCommandLine {
 protected:
  void SetUp() override {
    SweepOnTheCommandLine::SetUp();
    write(kSweep);
  }
};

TEST_F(SweepCommandTest, GivesTheSameBytesWithAnyNumberOfThreads) {
  ASSERT_EQ(sweep("--threads 1", "one"), 0) << err_;
  EXPECT_NE(out_.find("uniform-progress"), std::string::npos);
  ASSERT_EQ(sweep("--threads 3 --quiet", "three"), 0) << err_;
  EXPECT_EQ(out_, "");
  expect_same_results("one", "three");
}

TEST_F(SweepCommandTest, MergedPartsEqualTheOutputOfOneProcess) {
  ASSERT_EQ(sweep("", "whole"), 0) << err_;
  for (const char* shard : {"0/3", "1/3", "2/3"})
    ASSERT_EQ(sweep(std::string("--shard ") + shard, "parts"), 0) << err_;
  const std::string two = path("parts/part-0-of-3.db") + " " + path("parts/part-2-of-3.db");
  const std::string merge = "merge " + path("s.yaml") + " --out " + path("merged") + " " + two;
  EXPECT_EQ(spotsim(merge), 2);
  EXPECT_NE(err_.find("in none of the parts, expected all parts 0/n to (n-1)/n"), std::string::npos)
      << err_;
  EXPECT_FALSE(fs::exists(folder_ / "merged"));
  ASSERT_EQ(spotsim(merge + " " + path("parts/part-1-of-3.db")), 0) << err_;
  expect_same_results("whole", "merged");
}

// The rows of a killed sweep are part 0 of 2, under the name of the whole sweep.
TEST_F(SweepCommandTest, ContinuesAfterItWasStopped) {
  ASSERT_EQ(sweep("", "whole"), 0) << err_;
  ASSERT_EQ(sweep("--shard 0/2", "resumed"), 0) << err_;
  fs::rename(folder_ / "resumed/part-0-of-2.db", folder_ / "resumed/part-0-of-1.db");
  ASSERT_EQ(sweep("", "resumed"), 0) << err_;
  expect_same_results("whole", "resumed");
}

TEST_F(SweepCommandTest, SweepsWholeScenariosLikewise) {
  write("name: whole\nscenario: " SPOTSIM_SOURCE_DIR
        "/scenarios/no-interruption.yaml\n"
        "set: {interruptions: [{lifetime: 1h}], limit: 24h}\n"
        "vary: {trainer.steps: [640, 1280]}\n"
        "compare: {trainer.policy: [epoch, none]}\n"
        "seeds: 1-5\n");
  ASSERT_EQ(sweep("--threads 1", "one"), 0) << err_;
  EXPECT_NE(out_.find("trainer.steps 1280\n  trainer.policy "), std::string::npos) << out_;
  ASSERT_EQ(sweep("--threads 3", "three"), 0) << err_;
  expect_same_results("one", "three");
  for (const char* shard : {"0/2", "1/2"})
    ASSERT_EQ(sweep(std::string("--shard ") + shard, "parts"), 0) << err_;
  ASSERT_EQ(spotsim("merge " + path("s.yaml") + " --out " + path("merged") + " " +
                    path("parts/part-0-of-2.db") + " " + path("parts/part-1-of-2.db")),
            0)
      << err_;
  expect_same_results("one", "merged");
}

TEST_F(SweepCommandTest, AFailedRunIsReportedAndItsResultKept) {
  write("name: short\nscenario: " SPOTSIM_SOURCE_DIR
        "/scenarios/no-interruption.yaml\ncompare: {limit: [8h, 1h]}\n");
  EXPECT_EQ(sweep("--quiet", "out"), 1);
  EXPECT_EQ(err_.rfind("spotsim: deadline, 2 invariants broken: spotsim run ", 0), 0u) << err_;
  EXPECT_NE(contents_of(folder_ / "out/runs.csv").find("\n7,no-interruption,1h,0,"),
            std::string::npos);
}

TEST_F(SweepCommandTest, RowsOfASummaryNameTheirMarketOrAll) {
  std::string text = kSweep;
  text += "  - draw: {up: 1h, down: 1h, length: 30h, count: 10}\n";
  write(text);
  ASSERT_EQ(sweep("", "out"), 0) << err_;
  std::istringstream summary(contents_of(folder_ / "out/summary.csv"));
  std::string line;
  std::getline(summary, line);
  EXPECT_EQ(line.rfind("setting,market,markets,policy,rank,ci95_from,clusters,n,finished,", 0), 0u)
      << line;
  std::vector<std::string> greedy;  // from market to n
  while (std::getline(summary, line)) {
    std::size_t begin = line.find(',') + 1, end = begin;
    for (int i = 0; i < 7; ++i) end = line.find(',', end + 1);
    const std::string cells = line.substr(begin, end - begin);
    const std::size_t rank = cells.find(",greedy,") + 8;  // it is one digit
    if (rank > 8 && rank < cells.size())
      greedy.push_back(cells.substr(0, rank) + cells.substr(rank + 2));
  }
  const std::vector<std::string> of_one_setting{
      "drawn,1,greedy,student-t,150,150", "worn,1,greedy,student-t,80,80",
      "drawn-2,1,greedy,student-t,10,10", "all,3,greedy,too few markets,3,240"};
  std::vector<std::string> expected = of_one_setting;
  expected.insert(expected.end(), of_one_setting.begin(), of_one_setting.end());
  EXPECT_EQ(greedy, expected);
  EXPECT_NE(out_.find("\nall 3 markets; no ±: too few markets (3, expected 5)\n"),
            std::string::npos)
      << out_;
}

// The tables in the output, each from its heading to the line before the empty one.
std::vector<std::vector<std::string>> tables_of(const std::string& out,
                                                const std::string& heading) {
  std::vector<std::vector<std::string>> all;
  std::istringstream text(out);
  bool inside = false;
  for (std::string line; std::getline(text, line);) {
    if (line.rfind("  " + heading + " ", 0) == 0) all.emplace_back(), inside = true;
    if (line.empty()) inside = false;
    if (inside) all.back().push_back(line);
  }
  return all;
}

void expect_at_most_110_columns(const std::string& out) {
  std::istringstream text(out);
  for (std::string line; std::getline(text, line);)
    EXPECT_LE(std::count_if(line.begin(), line.end(), [](char c) { return (c & 0xC0) != 0x80; }),
              110)
        << line;
}

TEST_F(SweepCommandTest, TablesFitATerminalAndBeginWithTheBest) {
  ASSERT_EQ(sweep("", "out"), 0) << err_;
  expect_at_most_110_columns(out_);
  const auto tables = tables_of(out_, "policy");
  ASSERT_EQ(tables.size(), 6u) << out_;  // two settings of two markets and all
  for (const auto& table : tables) {
    ASSERT_EQ(table.size(), 6u) << out_;
    double before = 0;
    for (std::size_t i = 1; i < table.size(); ++i) {
      EXPECT_EQ(table[i].rfind("* ", 0) == 0, i == 1) << table[i];
      std::istringstream cells(table[i].substr(2));
      std::string policy, runs, late, percent_sign;
      double cost = 0;
      cells >> policy >> runs >> late >> percent_sign >> cost;
      EXPECT_EQ(policy == "optimum", i == 5) << table[i];
      EXPECT_EQ(late, "0.0") << table[i];
      if (i < 5) {
        EXPECT_GE(cost, before) << out_;
      }
      before = cost;
    }
  }
}

TEST_F(SweepCommandTest, AnUnfinishedPolicyStandsBelowPoliciesInTime) {
  write(R"(name: late
policies: [spot-only, on-demand]
job: {work: 20h, deadline: 24h, changeover: 12m, tick: 10m}
billing: ticks
prices: {on_demand: 3.06, spot: 0.9731}
traces: [{draw: {up: 2h, down: 2h, length: 30h, count: 50, seed: 5}}]
)");
  ASSERT_EQ(sweep("", "out"), 0) << err_;
  const auto tables = tables_of(out_, "policy");
  ASSERT_EQ(tables.size(), 1u) << out_;
  EXPECT_EQ(tables[0].at(1).rfind("* on-demand ", 0), 0u) << out_;
  EXPECT_EQ(tables[0].at(2).rfind("  spot-only    50         2  100.0 %   13.88 ", 0), 0u) << out_;
  EXPECT_NE(tables[0][0].find("finished"), std::string::npos) << out_;
  std::string legend = out_;
  std::ranges::replace(legend, '\n', ' ');
  EXPECT_NE(legend.find("finished is the number of runs that completed their work; the others "
                        "count as late, at their cost so far."),
            std::string::npos)
      << out_;
  EXPECT_NE(legend.find("\"− first $\" is the mean of the paired differences from spot-only, the "
                        "sweep's first variant"),
            std::string::npos)
      << out_;
}

TEST_F(SweepCommandTest, OmitsTheCountWhereAllFinished) {
  ASSERT_EQ(sweep("", "out"), 0) << err_;
  EXPECT_EQ(out_.find("finished"), std::string::npos) << out_;
}

TEST_F(SweepCommandTest, LongNamesAreShortenedInTheMiddle) {
  write("name: whole\nscenario: " SPOTSIM_SOURCE_DIR
        "/scenarios/no-interruption.yaml\n"
        "set: {limit: 24h}\nvary: {trainer.steps: [640]}\n"
        "compare: {trainer.policy: [\"time:10m,steps:100000000000,steps:200000000000,"
        "steps:300000000000,steps:400000000000,steps:500000000000,on-notice\", none]}\n");
  ASSERT_EQ(sweep("", "out"), 0) << err_;
  expect_at_most_110_columns(out_);
  EXPECT_NE(out_.find(" time:10m"), std::string::npos) << out_;
  EXPECT_NE(out_.find("on-notice "), std::string::npos) << out_;
}

TEST_F(SweepCommandTest, PlotsCostByDeadlineAndTheFrontOfEachMarket) {
  std::string text = kSweep;
  text.replace(text.find("deadline: 20h"), 13, "deadline: [16h, 20h, 24h]");
  write(text);
  ASSERT_EQ(sweep("--quiet --plot", "out"), 0) << err_;
  for (const char* of : {"drawn", "worn", "all"}) {
    const std::string front = contents_of(folder_ / fmt::format("out/pareto-1-{}.svg", of));
    EXPECT_NE(front.find(" uniform-progress</text>"), std::string::npos) << of;
    EXPECT_NE(front.find("work=8h deadline=16h"), std::string::npos) << of;
    for (const int work : {1, 2}) {
      const auto file = folder_ / fmt::format("out/cost-by-deadline-{}-{}.svg", work, of);
      const std::string picture = contents_of(file);
      EXPECT_NE(picture.find(work == 1 ? "work=8h changeover" : "work=12h changeover"),
                std::string::npos)
          << file;
      EXPECT_NE(picture.find(">time-sliced:4<"), std::string::npos) << file;
      std::size_t dots = 0;
      for (std::size_t at = 0; (at = picture.find("<circle", at)) != picture.npos; ++at) ++dots;
      EXPECT_EQ(dots, 5 * 3 + 5) << file;  // and the legend's
    }
  }
  EXPECT_TRUE(fs::exists(folder_ / "out/pareto-6-all.svg"));
  EXPECT_FALSE(fs::exists(folder_ / "out/pareto-7-all.svg"));
}

TEST_F(SweepCommandTest, PlotsCostByIntervalWithTheOptimumByFormula) {
  write(R"(name: often
failing_job: {work: 100h, checkpoint: 5m, restart: 10m, mean: 6h, price: 3.06,
  intervals: [10m, exact, 3h]}
seeds: 1-50
)");
  ASSERT_EQ(sweep("--plot", "out"), 0) << err_;
  const auto tables = tables_of(out_, "interval");
  ASSERT_EQ(tables.size(), 1u) << out_;
  EXPECT_EQ(tables[0].at(1).rfind("* exact ", 0), 0u) << out_;
  for (const char* heading : {"− first $", "every min", "expected h", "− expected"})
    EXPECT_NE(tables[0][0].find(heading), std::string::npos) << out_;
  expect_at_most_110_columns(out_);
  const std::string picture = contents_of(folder_ / "out/cost-by-interval.svg");
  EXPECT_NE(picture.find(">optimum by formula: 56.7 minutes<"), std::string::npos) << picture;
  EXPECT_TRUE(fs::exists(folder_ / "out/pareto.svg"));
}

TEST_F(SweepCommandTest, MergeRefusesAFolderThatIsNoPartAndLeavesItUnchanged) {
  for (const std::string text : {"", "some notes\n"}) {
    std::ofstream(folder_ / "notes.db") << text;
    EXPECT_EQ(spotsim("merge " + path("s.yaml") + " --out " + path("m") + " " + path("notes.db")),
              2);
    EXPECT_NE(err_.find("notes.db: found no part of a sweep ("), std::string::npos) << err_;
    EXPECT_EQ(contents_of(folder_ / "notes.db"), text);
    EXPECT_FALSE(fs::exists(folder_ / "m"));
  }
}

TEST_F(SweepCommandTest, AFolderThatCannotBeMadeIsNamedWithARemedy) {
  std::ofstream(folder_ / "file") << "";
  EXPECT_EQ(sweep("", "file/out"), 2);
  EXPECT_EQ(err_, "spotsim: cannot write " + path("file/out") +
                      ": Not a directory (--out names another folder)\n");
}

TEST_F(SweepCommandTest, RefusesAScenario) {
  EXPECT_EQ(spotsim("sweep " SPOTSIM_SOURCE_DIR "/scenarios/az-hop.yaml"), 2);
  EXPECT_NE(err_.find("az-hop.yaml:1:1: sweep: found a scenario, which `spotsim run` takes"),
            std::string::npos)
      << err_;
}

TEST_F(SweepCommandTest, RefusesAJobToBeAdvised) {
  EXPECT_EQ(spotsim("sweep " SPOTSIM_SOURCE_DIR "/scenarios/advice/v100.yaml"), 2);
  EXPECT_NE(err_.find("v100.yaml:1:1: sweep: found a job, which `spotsim advise` takes"),
            std::string::npos)
      << err_;
}

TEST_F(SweepCommandTest, RefusesRowsOfAnotherSweep) {
  ASSERT_EQ(sweep("", "out"), 0) << err_;
  std::string other = kSweep;
  other.replace(other.find("seed: 5"), 7, "seed: 7");
  write(other);
  EXPECT_EQ(sweep("", "out"), 2);
  EXPECT_NE(err_.find("has rows of another sweep"), std::string::npos) << err_;
  EXPECT_NE(err_.find("; its traces, prices or rules differ: --force replaces them"),
            std::string::npos)
      << err_;
  EXPECT_EQ(sweep("--force", "out"), 0) << err_;
  EXPECT_EQ(sweep("", "out"), 0) << "now its own: " << err_;
  other.replace(other.find("work: [8h"), 9, "work: [9h");
  write(other);
  EXPECT_EQ(sweep("", "out"), 2);
  EXPECT_NE(err_.find("; then: setting work=8h"), std::string::npos) << err_;
  EXPECT_NE(err_.find("; now: setting work=9h"), std::string::npos) << err_;
}

TEST_F(SweepCommandTest, ReportsErrorsWithTheirPlaces) {
  const auto complaint = [&](const std::string& from, const std::string& to) {
    std::string text = kSweep;
    text.replace(text.find(from), from.size(), to);
    write(text);
    EXPECT_EQ(sweep("", "out"), 2);
    EXPECT_FALSE(fs::exists(folder_ / "out"));
    const std::size_t at = err_.find("s.yaml");
    return at == std::string::npos ? err_ : err_.substr(at);
  };
  EXPECT_EQ(complaint("tick: 10m", "tick: 10"),
            "s.yaml:3:62: job.tick: found \"10\", expected a duration such as 10m, or a list of "
            "them (a unit is missing: 10s, 10m or 10h?)\n");
  EXPECT_EQ(complaint("prices:", "price:"),
            "s.yaml:4:1: key: found unknown key \"price\", expected \"prices\"\n");
  EXPECT_NE(
      complaint("greedy", "greed").find("s.yaml:2:23: policies[1]: acquisition policy 'greed'"),
      std::string::npos);
  EXPECT_NE(complaint("spot: 0.9731", "spot: 0").find("above 0"), std::string::npos);
  EXPECT_NE(complaint("up: 3h", "upp: 3h").find("unknown key \"upp\", expected \"up\""),
            std::string::npos);
  EXPECT_NE(complaint("draw: {up: 3h, down: 1h, length: 30h, count: 150, seed: 5}",
                      "file: no-such-trace.csv")
                .size(),
            0u);
  for (const char* shard : {"3/3", "-1/3", "1", "1/", "a/b", "0/0"})
    EXPECT_EQ(sweep(std::string("--shard ") + shard, "out"), 2) << shard;
}

}  // namespace
}  // namespace sim::cli
