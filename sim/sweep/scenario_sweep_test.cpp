#include "sim/sweep/scenario_sweep.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <numeric>

#include "base/files/folder_for_test.h"
#include "sim/scenario/messages_for_test.h"
#include "sim/sweep/file/sweep_file.h"
#include "sim/sweep/run_all_for_test.h"
#include "sim/sweep/statistics.h"
#include "sim/sweep/workers.h"

namespace sim::sweep {
namespace {

namespace fs = std::filesystem;

// A folder with a copy of the scenarios and with the sweep's text in `s.yaml`.
class ScenarioSweepTest : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* input : {"no-interruption.yaml", "traces", "cifar10-job", "code"})
      fs::copy(fs::path(SPOTSIM_SOURCE_DIR) / "scenarios" / input, folder_ / input,
               fs::copy_options::recursive);
  }

  SweepFile read(const std::string& text) const {
    return parse_sweep("name: s\nscenario: no-interruption.yaml\n" + text, folder_ / "s.yaml");
  }
  // The messages about a text, without the folder.
  std::string errors(const std::string& text) const {
    return scenario::messages_of([&] { read(text); }, folder_);
  }

  base::FolderForTest folder_;
};

constexpr const char* kTwoByTwo = R"(set:
  deadline: 4h
  limit: 24h
  interruptions: [{lifetime: 1h, notice: none}]
vary: {"interruptions[0].lifetime": [45m, 3h]}
compare: {trainer.policy: [steps:8, "time:40m"]}
seeds: 1-3
)";

std::size_t measure(const Grid& grid, const std::string& name) {
  for (std::size_t i = 0; i < grid.measures.size(); ++i)
    if (grid.measures[i].name == name) return i;
  ADD_FAILURE() << name;
  return 0;
}

TEST_F(ScenarioSweepTest, ItsRunsAreThoseOfSpotsimRun) {
  const SweepFile file = read(kTwoByTwo);
  const Grid& grid = file.sweep->grid();
  EXPECT_EQ(grid.runs(), 12);
  EXPECT_EQ(describe(grid.settings, 1), "3h");
  EXPECT_EQ(describe(grid.variants, 1), "time:40m");
  const Rows rows = sweep::run_all(*file.sweep);
  ASSERT_EQ(rows.size(), 12u);
  const std::int64_t at = 7;  // setting 1, case 0, variant 1
  const result::Result alone =
      *run::run(scenario::read_scenario(
                    folder_ / "no-interruption.yaml",
                    scenario::parse_overrides({"deadline=4h", "limit=24h",
                                               "interruptions=[{lifetime: 3h, notice: none}]",
                                               "trainer.policy=time:40m"})),
                {.output = "", .programs = "", .seed = 1, .guest = scenario::GuestKind::kFiber})
           .result;
  const auto row = rows.measures(at);
  EXPECT_EQ(row[sweep::kCost], alone.money.total.nano);
  EXPECT_EQ(row[sweep::kBaseline], alone.baseline_without_checkpoints->nano);
  EXPECT_EQ(row[sweep::kMakespan], alone.makespan.count());
  EXPECT_EQ(row[sweep::kDeadlineMet], alone.deadline_met);
  EXPECT_EQ(row[measure(grid, "attempts")], std::ssize(alone.attempts));
  EXPECT_EQ(row[measure(grid, "lost")], alone.lost_time.count());
  EXPECT_EQ(row[measure(grid, "checkpoint")], alone.checkpoint_overhead.count());
  EXPECT_EQ(row[measure(grid, "waiting")], alone.time.waiting.count());
  EXPECT_EQ(row[measure(grid, "volumes")], alone.money.volumes.nano);
  EXPECT_EQ(row[measure(grid, "lateness")], alone.lateness->count());
  EXPECT_EQ(row[measure(grid, "wasted")], alone.wasted.all.nano);
  EXPECT_EQ(row[measure(grid, "lost_cost")], alone.wasted.lost.nano);
  EXPECT_EQ(row[measure(grid, "checkpoint_cost")], alone.wasted.checkpoint.nano);
  EXPECT_EQ(row[measure(grid, "restart_cost")], alone.wasted.restart.nano);
  EXPECT_GE(alone.wasted.all, alone.wasted.lost + alone.wasted.checkpoint + alone.wasted.restart);
  const auto shown = [&](const char* name) {
    const std::size_t m = measure(grid, name);
    return sweep::shown(grid.measures[m].unit, row[m]);
  };
  const double wall = seconds(alone.time.billed - alone.time.prepare + alone.time.waiting);
  EXPECT_NEAR(shown("ettr"), seconds(alone.time.train_kept) / wall, 1e-9);
  EXPECT_NEAR(shown("lost_share"), seconds(alone.lost_time) / wall, 1e-9);
  EXPECT_NEAR(shown("checkpoint_share"), seconds(alone.checkpoint_overhead) / wall, 1e-9);
  EXPECT_NEAR(shown("restart_share"), seconds(alone.restart_overhead) / wall, 1e-9);
  const auto steps = static_cast<double>(alone.steps_total);  // all are kept, because it completed
  EXPECT_NEAR(shown("goodput"), steps / seconds(alone.makespan) * 3600, 1e-6);
  EXPECT_NEAR(shown("cost_per_epoch"), alone.money.total.dollars() / (steps / 64), 1e-8);
}

TEST_F(ScenarioSweepTest, SeveralScenariosAreVariants) {
  fs::copy(fs::path(SPOTSIM_SOURCE_DIR) / "scenarios/on-demand.yaml", folder_ / "on-demand.yaml");
  const auto parsed = [&](const std::string& scenarios, const std::string& more) {
    return parse_sweep("name: s\nscenario: " + scenarios + "\n" + more, folder_ / "s.yaml");
  };
  const SweepFile file = parsed("[no-interruption.yaml, on-demand.yaml]",
                                "compare: {trainer.policy: [epoch, none]}\n");
  const Grid& grid = file.sweep->grid();
  ASSERT_EQ(grid.variants.size(), 4);
  EXPECT_EQ(describe(grid.variants, 0), "scenario=no-interruption trainer.policy=epoch");
  EXPECT_EQ(describe(grid.variants, 3), "scenario=on-demand trainer.policy=none");
  const Rows rows = sweep::run_all(*file.sweep);
  const result::Result alone =
      *run::run(scenario::read_scenario(folder_ / "on-demand.yaml",
                                        scenario::parse_overrides({"trainer.policy=none"})),
                {.output = "", .programs = "", .seed = 7, .guest = scenario::GuestKind::kFiber})
           .result;
  EXPECT_EQ(rows.measures(3)[sweep::kCost], alone.money.total.nano);
  EXPECT_LT(rows.measures(1)[sweep::kCost], rows.measures(3)[sweep::kCost]);
  const auto refused = [&](const std::string& scenarios) {
    return scenario::messages_of([&] { parsed(scenarios, ""); }, folder_);
  };
  EXPECT_NE(refused("[]").find("expected a scenario's path, or a list of them"), std::string::npos);
  EXPECT_NE(refused("[no-interruption.yaml, none.yaml]").find("there is no file"),
            std::string::npos);
  EXPECT_NE(refused("[no-interruption.yaml, no-interruption.yaml]").find("two that are named"),
            std::string::npos);
}

TEST_F(ScenarioSweepTest, SavingOftenLosesLess) {
  const SweepFile file = read(kTwoByTwo);
  const auto summaries = summarize(file.sweep->grid(), sweep::run_all(*file.sweep));
  const std::size_t lost = measure(file.sweep->grid(), "lost");
  for (const std::size_t setting : {0u, 2u})
    EXPECT_LT(summaries[setting].measures[lost].mean, summaries[setting + 1].measures[lost].mean);
}

// A variant with expensive checkpoints would also make the job on demand more expensive. Savings do
// not refer to that cost.
TEST_F(ScenarioSweepTest, TheCheaperVariantSavesMore) {
  const SweepFile file = read(R"(set:
  limit: 24h
  trainer.checkpoint_bytes: 4000000000
  interruptions: [{lifetime: 3h, notice: none}]
compare: {trainer.policy: ["time:2m", "time:5m", "time:40m"]}
seeds: 1-4
)");
  const Rows rows = sweep::run_all(*file.sweep);
  const auto summaries = summarize(file.sweep->grid(), rows);
  ASSERT_EQ(summaries.size(), 3u);
  for (const Summary& a : summaries)
    for (const Summary& b : summaries)
      EXPECT_EQ(a.savings.value() > b.savings.value(),
                a.measures[sweep::kCost].mean < b.measures[sweep::kCost].mean);
  // The same seed; times differ by drawn boot times only.
  for (std::size_t i = 0; i < rows.size(); ++i)
    EXPECT_NEAR(static_cast<double>(rows.measures(i)[sweep::kBaseline]) /
                    static_cast<double>(rows.measures(i - i % 3)[sweep::kBaseline]),
                1, 0.02)
        << i;
}

TEST_F(ScenarioSweepTest, ThreadsGiveTheRowsOfOne) {
  const SweepFile file = read(kTwoByTwo);
  const Rows alone = sweep::run_all(*file.sweep);
  std::vector<std::int64_t> blocks(12);
  std::iota(blocks.begin(), blocks.end(), 0);
  std::size_t seen = 0;
  run_on_threads(*file.sweep, blocks, 4, [&](const Rows& rows) {
    for (std::size_t i = 0; i < rows.size(); ++i, ++seen) {
      const auto row = rows.measures(i);
      const auto expected = alone.measures(static_cast<std::size_t>(rows.run(i)));
      EXPECT_TRUE(std::equal(row.begin(), row.end(), expected.begin())) << "run " << rows.run(i);
    }
  });
  EXPECT_EQ(seen, 12u);
}

TEST_F(ScenarioSweepTest, WithoutAGridItIsTheScenario) {
  const SweepFile file = read("");
  const Grid& grid = file.sweep->grid();
  EXPECT_EQ(grid.runs(), 1);
  EXPECT_EQ(describe(grid.variants, 0), "no-interruption");
  EXPECT_EQ(describe(grid.cases, 0), "7");
  EXPECT_TRUE(file.sweep->failures(sweep::run_all(*file.sweep)).empty());
}

TEST_F(ScenarioSweepTest, KeysCanBeChangedTogether) {
  const SweepFile file = read(
      "vary: [{limit: 8h, deadline: 7h}, {limit: 9h, deadline: 3h}]\n"
      "compare: {trainer.steps: [64, 128], prices.snapshot_gb_month: [0.01, 0.02, 0.03]}\n"
      "seeds: [1, 5-6]\n");
  const Grid& grid = file.sweep->grid();
  EXPECT_EQ(describe(grid.settings, 1), "limit=9h deadline=3h");
  EXPECT_EQ(grid.variants.size(), 6);
  EXPECT_EQ(describe(grid.variants, 1), "trainer.steps=64 prices.snapshot_gb_month=0.02");
  EXPECT_EQ(grid.variants.columns.front(), "scenario") << "in files, however many there are";
  EXPECT_EQ(grid.variants.points[1].front(), "no-interruption");
  EXPECT_EQ(grid.cases.size(), 3);
  EXPECT_EQ(describe(grid.cases, 2), "6");
}

TEST_F(ScenarioSweepTest, AFailedRunIsReportedWithItsCommand) {
  const SweepFile file = read(
      "set: {expect: {outcome: completed}}\n"
      "compare: {limit: [8h, 1h]}\n");
  const auto failures = file.sweep->failures(sweep::run_all(*file.sweep));
  ASSERT_EQ(failures.size(), 1u);
  EXPECT_EQ(failures[0],
            "deadline, 2 invariants broken: spotsim run " +
                (folder_ / "no-interruption.yaml").string() +
                " --set 'expect={outcome: completed}' --set limit=1h --seed 7 --guest fiber");
}

TEST_F(ScenarioSweepTest, ItsFingerprintIsOfAllThatDecidesResults) {
  const std::string base = read(kTwoByTwo).sweep->fingerprint().hash;
  EXPECT_EQ(read(kTwoByTwo).sweep->fingerprint().hash, base);
  EXPECT_EQ(read(std::string("description: other\n") + kTwoByTwo).sweep->fingerprint().hash, base);
  const auto changed = [&](const std::string& from, const std::string& to) {
    std::string text = kTwoByTwo;
    return read(text.replace(text.find(from), from.size(), to)).sweep->fingerprint().hash;
  };
  EXPECT_NE(changed("1-3", "1-4"), base);
  EXPECT_NE(changed("time:40m", "time:41m"), base);
  EXPECT_NE(changed("24h", "25h"), base);
  std::ofstream(folder_ / "code/cifar10/train.sh", std::ios::app) << "# more\n";
  EXPECT_NE(read(kTwoByTwo).sweep->fingerprint().hash, base);
}

TEST_F(ScenarioSweepTest, TheRunsOfItsFingerprintAreRowsOfTheSweep) {
  const SweepFile file = read(kTwoByTwo);
  const Rows all = sweep::run_all(*file.sweep), &first = file.sweep->fingerprint().rows;
  ASSERT_EQ(first.size(), 4u);
  for (std::size_t i = 0; i < first.size(); ++i) {
    EXPECT_EQ(file.sweep->grid().case_of(first.run(i)), 0);
    const auto row = first.measures(i);
    const auto expected = all.measures(static_cast<std::size_t>(first.run(i)));
    EXPECT_TRUE(std::equal(row.begin(), row.end(), expected.begin())) << "run " << first.run(i);
  }
}

TEST_F(ScenarioSweepTest, ReportsErrorsWithTheirPlaces) {
  EXPECT_EQ(errors("compare: {trainer.policy: [none, nonne]}\n")
                .rfind("s.yaml:3:34: trainer.policy: checkpoint policy 'nonne'", 0),
            0u);
  EXPECT_EQ(errors("vary: {limit: [8h, 10]}\n"),
            "s.yaml:3:20: limit: found \"10\", expected a duration such as 12h (a unit is missing: "
            "10s, 10m or 10h?)");
  EXPECT_EQ(errors("set: {interruptions: [{at: 2h, pool: p3.2xlarge/us-west-2b}]}\n"
                   "vary: {limit: [8h, 1h]}\n"),
            "s.yaml:3:22: interruptions[0].at: found \"2h\", expected a time before the run's "
            "limit");
  EXPECT_EQ(errors("vary: {market.capacity: [[], 3]}\n").rfind("s.yaml:3:30: market.capacity: ", 0),
            0u);
  EXPECT_EQ(errors("vary: {start: [2019-11-05T10:00:00Z, 2009-11-05T10:00:00Z]}\n"
                   "compare: {trainer.policy: [none, epoch]}\n")
                .find("no-interruption.yaml:12:12: market.prices[0]: "),
            0u);
  EXPECT_NE(errors("vary: {start: [2019-11-05T10:00:00Z, 2009-11-05T10:00:00Z]}\n")
                .find(", with start=2009-11-05T10:00:00Z"),
            std::string::npos);
  EXPECT_EQ(errors("set: {limit: 8h}\nvary: {limit: [8h]}\n"),
            "s.yaml:4:15: vary.limit: found a second time, expected each key once");
  EXPECT_EQ(errors("set: {seed: 8}\n"),
            "s.yaml:3:13: set.seed: found the seed, which `seeds` gives");
  EXPECT_EQ(errors("seeds: 1-\n").rfind("s.yaml:3:8: seeds: found \"1-\", expected a seed, a", 0),
            0u);
  for (const char* seeds : {"5-1", "x", "[1, 1]", "[]", "-1", "0-9999999999", "{}"})
    EXPECT_NE(errors(std::string("seeds: ") + seeds + "\n"), "") << seeds;
  for (const char* grid : {"3", "[]", "[3]", "{limit: 8h}", "{limit: []}", "{li..mit: [8h]}",
                           "[{limit: 8h}, {deadline: 2h}]", "{limit: [{}]}"})
    EXPECT_NE(errors(std::string("vary: ") + grid + "\n"), "") << grid;
  EXPECT_EQ(
      errors("policies: [greedy]\n").rfind("s.yaml:3:1: key: found unknown key \"policies\"", 0),
      0u);
  EXPECT_EQ(errors("set: {operator.script: sleep 5}\n").find("operator.script: found `sleep 5`") !=
                std::string::npos,
            true);
}

}  // namespace
}  // namespace sim::sweep
