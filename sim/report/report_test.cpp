#include "sim/report/report.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "base/files/folder_for_test.h"

namespace sim::report {
namespace {

std::string complaint(const base::FolderForTest& folder) {
  try {
    report_of(folder);
    return "";
  } catch (const std::runtime_error& error) {
    return error.what();
  }
}

TEST(Report, AFoldersKindFollowsFromItsFiles) {
  const base::FolderForTest folder;
  EXPECT_NE(complaint(folder).find("result.json"), std::string::npos);
  base::write_content(folder / "advice.json", R"({"kind": "advice", "job": {}})");
  EXPECT_EQ(report_of(folder)["kind"], "advice");
}

TEST(Report, AnExplorationOfAnOlderVersionIsToBeRunAgain) {
  const base::FolderForTest folder;
  base::write_content(folder / "explore.json", R"({"scenario": "az-hop"})");
  EXPECT_NE(complaint(folder).find("`spotsim explore` writes: run it again"), std::string::npos);
}

}  // namespace
}  // namespace sim::report
