#include "sim/cli/sweep.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace sim::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSweep = R"(name: small
policies: [on-demand, greedy, "time-sliced:4", uniform-progress, optimum]
job: {work: [8h, 12h], deadline: 20h, changeover: 12m, tick: 10m}
prices: {on_demand: 3.06, spot: 0.9731}
traces:
  - draw: {up: 3h, down: 1h, length: 30h, count: 150, seed: 5}
  - draw: {market: worn, up: 3h, down: 1h, up_shape: 3, length: 30h, count: 80, seed: 6}
)";

std::string contents_of(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

class SweepCommandTest : public testing::Test {
 protected:
  void SetUp() override {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::path(testing::TempDir()) / ("spotsim-sweep-" + std::string(test->name()));
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    write(kSweep);
  }
  void TearDown() override { fs::remove_all(folder_); }

  void write(const std::string& sweep) const { std::ofstream(folder_ / "s.yaml") << sweep; }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  int spotsim(const std::string& arguments) {
    CLI::App app;
    int status = 0;
    add_sweep_commands(app, status);
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
  int sweep(const std::string& more, const std::string& out) {
    return spotsim("sweep " + path("s.yaml") + " --out " + path(out) + " " + more);
  }
  void expect_same_results(const std::string& one, const std::string& other) const {
    for (const char* file : {"runs.csv", "summary.csv", "results.db"}) {
      EXPECT_FALSE(contents_of(folder_ / one / file).empty()) << file;
      EXPECT_EQ(contents_of(folder_ / one / file), contents_of(folder_ / other / file)) << file;
    }
  }

  fs::path folder_;
  std::string out_, err_;
};

TEST_F(SweepCommandTest, GivesTheSameBytesWithAnyNumberOfThreads) {
  ASSERT_EQ(sweep("--threads 1", "one"), 0) << err_;
  EXPECT_NE(out_.find("uniform-progress"), std::string::npos);
  ASSERT_EQ(sweep("--threads 3 --quiet", "three"), 0) << err_;
  EXPECT_EQ(out_, "");
  expect_same_results("one", "three");
}

TEST_F(SweepCommandTest, PartsMergeIntoWhatOneProcessGives) {
  ASSERT_EQ(sweep("", "whole"), 0) << err_;
  for (const char* shard : {"0/3", "1/3", "2/3"})
    ASSERT_EQ(sweep(std::string("--shard ") + shard, "parts"), 0) << err_;
  const std::string two = path("parts/part-0-of-3.db") + " " + path("parts/part-2-of-3.db");
  const std::string merge = "merge " + path("s.yaml") + " --out " + path("merged") + " " + two;
  EXPECT_EQ(spotsim(merge), 2);
  EXPECT_NE(err_.find("are in none of the parts"), std::string::npos) << err_;
  EXPECT_FALSE(fs::exists(folder_ / "merged"));
  ASSERT_EQ(spotsim(merge + " " + path("parts/part-1-of-3.db")), 0) << err_;
  expect_same_results("whole", "merged");
}

// What a killed sweep has kept is part 0 of 2 under the name that the whole has.
TEST_F(SweepCommandTest, GoesOnWhereItWasStopped) {
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
  EXPECT_NE(out_.find("trainer.steps 1280\ntrainer.policy "), std::string::npos) << out_;
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

TEST_F(SweepCommandTest, ARunThatFailsIsToldAndItsResultKept) {
  write("name: short\nscenario: " SPOTSIM_SOURCE_DIR
        "/scenarios/no-interruption.yaml\ncompare: {limit: [8h, 1h]}\n");
  EXPECT_EQ(sweep("--quiet", "out"), 1);
  EXPECT_EQ(err_.rfind("spotsim: deadline: spotsim run ", 0), 0u) << err_;
  EXPECT_NE(contents_of(folder_ / "out/runs.csv").find("\n7,1h,0,"), std::string::npos);
}

TEST_F(SweepCommandTest, ASummarysRowIsOfOneMarketAndThoseOfAllSaySo) {
  std::string text = kSweep;
  text += "  - draw: {up: 1h, down: 1h, length: 30h, count: 10}\n";
  write(text);
  ASSERT_EQ(sweep("", "out"), 0) << err_;
  std::istringstream summary(contents_of(folder_ / "out/summary.csv"));
  std::string line;
  std::getline(summary, line);
  EXPECT_EQ(line.rfind("setting,market,markets,policy,rank,interval,clusters,n,finished,", 0), 0u) << line;
  std::vector<std::string> greedy;  // from market to n
  while (std::getline(summary, line)) {
    std::size_t begin = line.find(',') + 1, end = begin;
    for (int i = 0; i < 7; ++i) end = line.find(',', end + 1);
    const std::string cells = line.substr(begin, end - begin);
    const std::size_t rank = cells.find(",greedy,") + 8;  // it is one digit
    if (rank > 8 && rank < cells.size()) greedy.push_back(cells.substr(0, rank) + cells.substr(rank + 2));
  }
  const std::vector<std::string> of_one_setting{
      "drawn,1,greedy,student-t,150,150", "worn,1,greedy,student-t,80,80",
      "drawn-2,1,greedy,student-t,10,10", "all,3,greedy,too few markets,3,240"};
  std::vector<std::string> expected = of_one_setting;
  expected.insert(expected.end(), of_one_setting.begin(), of_one_setting.end());
  EXPECT_EQ(greedy, expected);
  EXPECT_NE(out_.find("\nall 3 markets\n"), std::string::npos) << out_;
}

TEST_F(SweepCommandTest, RefusesRowsOfAnotherSweep) {
  ASSERT_EQ(sweep("", "out"), 0) << err_;
  std::string other = kSweep;
  other.replace(other.find("seed: 5"), 7, "seed: 7");
  write(other);
  EXPECT_EQ(sweep("", "out"), 2);
  EXPECT_NE(err_.find("holds rows of another sweep"), std::string::npos) << err_;
}

TEST_F(SweepCommandTest, SaysWhatIsWrongWhere) {
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
