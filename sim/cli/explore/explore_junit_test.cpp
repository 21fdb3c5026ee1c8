#include "sim/cli/explore/explore_junit.h"

#include <gtest/gtest.h>

#include "base/files/folder_for_test.h"

namespace sim::cli {
namespace {

explore::Findings one_failure() {
  explore::Findings findings;
  findings.singles["interrupt"] = {.points = 9, .tried = 9};
  findings.singles["kill"] = {.points = 4, .tried = 3};
  explore::Failure failure;
  failure.tried.plan = {"{kind: kill, at: 10m}"};
  failure.breach = {"progress-kept", "progress never falls <back>", "step 3", {}};
  findings.failures.push_back(failure);
  return findings;
}

TEST(ExploreJunit, HasACaseForEachKindAndAFailureForEachFinding) {
  const base::FolderForTest folder;
  write_junit({junit_of(one_failure(), "s", {"out/failing/01.yaml"})}, folder / "junit.xml");
  const std::string xml = base::file_content(folder / "junit.xml");
  for (const char* part :
       {R"(name="explore s" tests="3" failures="1")", R"(name="kill: 3 of 4 points tried" />)",
        R"(name="progress never falls &lt;back>">)",
        R"(<failure message="found step 3">{kind: kill, at: 10m})",
        "spotsim run out/failing/01.yaml"})
    EXPECT_NE(xml.find(part), std::string::npos) << part << "\n" << xml;
}

}  // namespace
}  // namespace sim::cli
