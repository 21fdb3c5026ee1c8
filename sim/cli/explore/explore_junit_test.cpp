#include "sim/cli/explore/explore_junit.h"

#include <gtest/gtest.h>

#include "base/files/folder_for_test.h"

namespace sim::cli {
namespace {

explore::Findings one_failure() {
  explore::Findings findings;
  findings.singles["interrupt"] = {.points = 9, .tried = 9};
  findings.singles["kill"] = {.points = 4, .tried = 3};
  findings.points = {{.kind = explore::StrikePoint::Kind::kCall,
                      .when = faults::OnCall{.action = "CreateVolume"},
                      .about = "CreateVolume",
                      .machine = "1"}};
  explore::Failure failure;
  failure.tried.plan = {"{before_call: {action: CreateVolume}, kind: api-error}"};
  failure.breach = {"progress-kept", "progress never falls <back>", "step 3", {}};
  findings.failures.push_back(failure);
  return findings;
}

scenario::Scenario with_a_script() {
  scenario::Scenario scenario;
  scenario.name = "s";
  scenario.operator_file = "s.yaml";
  scenario.operator_script = "aws ec2 create-volume\n";
  scenario.operator_script_line = 5;
  return scenario;
}

TEST(ExploreJunit, HasACaseForEachKindAndAFailureForEachFinding) {
  const base::FolderForTest folder;
  write_junit({junit_of(one_failure(), with_a_script(), {"out/failing/01.yaml"})},
              folder / "junit.xml");
  const std::string xml = base::file_content(folder / "junit.xml");
  for (const char* part :
       {R"(name="explore s" tests="3" failures="1")", R"(name="kill: 3 of 4 points tried" />)",
        R"(name="progress never falls &lt;back>">)",
        R"(<failure message="found step 3">{before_call: {action: CreateVolume}, kind: api-error})",
        "the call: s.yaml:5: aws ec2 create-volume\nA correct script ",
        "\nspotsim run out/failing/01.yaml"})
    EXPECT_NE(xml.find(part), std::string::npos) << part << "\n" << xml;
}

}  // namespace
}  // namespace sim::cli
