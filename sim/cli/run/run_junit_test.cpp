#include "sim/cli/run/run_junit.h"

#include <gtest/gtest.h>

#include <pugixml.hpp>
#include <stdexcept>

#include "base/files/folder_for_test.h"

namespace sim::cli {
namespace {

result::Result judged() {
  result::Result result;
  result.scenario = "az-hop";
  result.expectations = {{"attempts: 2", false, "1"}, {"outcome: completed", true, "completed"}};
  result.invariants = {{"time", true, ""}, {"nothing is running", false, "1 left"}};
  result.invariants[1].lines = {R"({"event":"run.end"})"};
  return result;
}

class RunJunit : public testing::Test {
 protected:
  // The suite as a CI system reads it.
  pugi::xml_node written(const result::Result& result) {
    write_junit({junit_of(result)}, folder_ / "junit.xml");
    EXPECT_TRUE(document_.load_file((folder_ / "junit.xml").c_str()));
    return document_.child("testsuites").child("testsuite");
  }
  pugi::xml_node case_of(const result::Result& result, const char* name) {
    return written(result).find_child_by_attribute("testcase", "name", name);
  }

  const base::FolderForTest folder_;
  pugi::xml_document document_;
};

TEST_F(RunJunit, HasACaseForEachExpectationAndInvariant) {
  const pugi::xml_node suite = written(judged());
  EXPECT_STREQ(suite.attribute("name").value(), "az-hop");
  EXPECT_EQ(suite.attribute("tests").as_int(), 4);
  EXPECT_EQ(suite.attribute("failures").as_int(), 2);
  EXPECT_FALSE(case_of(judged(), "outcome: completed").child("failure"));
}

TEST_F(RunJunit, AFailureHasTheLinesThatShowIt) {
  const pugi::xml_node failure = case_of(judged(), "nothing is running").child("failure");
  EXPECT_STREQ(failure.attribute("message").value(), "found 1 left");
  EXPECT_STREQ(failure.text().get(), R"({"event":"run.end"})");
}

TEST_F(RunJunit, ABreachThatIsExcusedIsNoFailure) {
  result::Result excused = judged();
  excused.invariants[1].excused_by = {"running_instances: 1"};
  const pugi::xml_node one = case_of(excused, "nothing is running");
  EXPECT_FALSE(one.child("failure"));
  EXPECT_STREQ(one.child("system-out").text().get(),
               "broken, as expected: 1 left (excused by running_instances: 1)");
}

TEST_F(RunJunit, TextThatXmlCannotHaveIsReplaced) {
  result::Result odd = judged();
  odd.expectations[0].found =
      "a\x01"
      "b<\"\xff";
  const pugi::xml_node failure = case_of(odd, "attempts: 2").child("failure");
  EXPECT_STREQ(failure.attribute("message").value(),
               "found a\xef\xbf\xbd"
               "b<\"\xef\xbf\xbd");
}

TEST(Junit, ReportsThatAFileCannotBeWritten) {
  EXPECT_THROW(write_junit({}, "/nonexistent/x.xml"), std::runtime_error);
}

}  // namespace
}  // namespace sim::cli
