#include "sim/report/sweep_report.h"

#include <SQLiteCpp/Database.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "base/files/folder_for_test.h"

namespace sim::report {
namespace {

void write_db(const base::FolderForTest& folder, const char* sql) {
  SQLite::Database((folder / "results.db").string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE)
      .exec(sql);
}

TEST(SweepReport, DistinguishesKeysOfSettingsFromKeysOfVariants) {
  const base::FolderForTest folder;
  write_db(folder,
           "CREATE TABLE runs(setting, market, number, policy, cost_usd);"
           "CREATE TABLE summary(setting, market, markets, policy, rank, cost_usd_mean, gap);"
           "INSERT INTO summary VALUES('work=1h', 'a', 1, 'greedy', 2, 1.5, NULL)");
  base::write_content(folder / "command.txt",
                      "spotsim sweep s.yaml\nspotsim run a.yaml --seed 1\n");
  const Json report = sweep_report(folder);
  EXPECT_EQ(report["settings"], Json({"setting"}));
  EXPECT_EQ(report["variants"], Json({"policy"}));
  EXPECT_EQ(report["market"], true);
  EXPECT_EQ(report["rows"], Json::parse(R"([["work=1h", "a", 1, "greedy", 2, 1.5, null]])"));
  EXPECT_EQ(report["command"], "spotsim sweep s.yaml");
  EXPECT_EQ(report["commands"], Json({"spotsim run a.yaml --seed 1"}));
}

TEST(SweepReport, ASweepOverSeedsHasNoMarkets) {
  const base::FolderForTest folder;
  write_db(folder,
           "CREATE TABLE runs(limit_, life, seed, policy, finished);"
           "CREATE TABLE summary(limit_, life, policy, rank, n)");
  const Json report = sweep_report(folder);
  EXPECT_EQ(report["settings"], Json({"limit_", "life"}));
  EXPECT_EQ(report["variants"], Json({"policy"}));
  EXPECT_EQ(report["market"], false);
  EXPECT_TRUE(report["command"].is_null());
}

TEST(SweepReport, APageHasTheColumnsThatItShowsAndTheCommonBeginOfCommandsOnce) {
  const Json part = shown_part(
      {{"columns", {"work", "policy", "rank", "cost_usd_sd", "pareto"}},
       {"rows", {{"1h", "greedy", 1, 0.5, 1}}},
       {"commands", {"spotsim run a.yaml --seed 1", "", "spotsim run a.yaml --seed 12"}}});
  EXPECT_EQ(part["columns"], Json({"work", "policy", "rank", "pareto"}));
  EXPECT_EQ(part["rows"], Json::parse(R"([["1h", "greedy", 1, 1]])"));
  EXPECT_EQ(part["commands_begin"], "spotsim run a.yaml --seed ");
  EXPECT_EQ(part["commands"], Json({"1", "", "12"}));
}

TEST(SweepReport, NamesAFileThatIsNoResult) {
  const base::FolderForTest folder;
  base::write_content(folder / "results.db",
                      "no database, but a text that is long enough to be read");
  try {
    sweep_report(folder);
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()).find("results.db: "), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("expected the results of `spotsim sweep`"),
              std::string::npos);
  }
}

}  // namespace
}  // namespace sim::report
