#include "sim/cli/remarks.h"

#include <gtest/gtest.h>

namespace sim::cli {
namespace {

std::vector<std::string> remarks_on(const std::vector<Event>& events) {
  Remarks remarks;
  for (const Event& event : events) remarks.hear(event);
  return remarks.all();
}

Event call(const std::string& caller, const std::string& result) {
  return {{}, "api.call", {{"action", "RunInstances"}, {"caller", caller}, {"result", result}}};
}

const Event kLaunch{{}, "instance.state", {{"instance_id", "i-1"}, {"from", ""}}};

TEST(Remarks, ARunThatLaunchedSomethingGetsNone) {
  EXPECT_TRUE(remarks_on({call("operator", "Throttling"), kLaunch}).empty());
}

TEST(Remarks, ARunWithoutAnInstanceIsToldWhatWasRefused) {
  const auto said = remarks_on({call("operator", "InvalidParameterValue"), call("operator", "ok"),
                                call("operator", "InvalidParameterValue"), call("i-1", "Other")});
  EXPECT_EQ(said,
            (std::vector<std::string>{
                "no instance was ever launched; AWS refused the operator's calls RunInstances "
                "(InvalidParameterValue); a script without `set -e` goes on where a command "
                "fails"}));
  EXPECT_EQ(remarks_on({}).at(0).find("refused"), std::string::npos);
}

TEST(Remarks, ProgressLinesThatAreNoneAreCountedAndTheFirstShown) {
  const auto bad = [](const std::string& line) {
    return Event{{}, "guest.bad-event", {{"instance_id", "i-1"}, {"line", line}}};
  };
  EXPECT_EQ(remarks_on({kLaunch, bad("step 1"), bad("step 2")}),
            (std::vector<std::string>{"2 of the lines in $JOB_EVENTS were left out, the first of "
                                      "i-1: step 1; docs/event-log.md says what is expected"}));
}

}  // namespace
}  // namespace sim::cli
