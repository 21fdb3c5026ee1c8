#include "sim/guest/process/progress/line_pattern.h"

#include <gtest/gtest.h>

namespace sim::guest {
namespace {

TEST(LinePattern, FindsGroupsByTheirNumber) {
  const LinePattern epoch(R"(Epoch (\d+)/(\d+))");
  const auto found = epoch.find("  Epoch 3/50: loss");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->group("number", 1), "3");
  EXPECT_EQ(found->group("total", 2), "50");
  EXPECT_EQ(found->group("path", 3), std::nullopt);
  EXPECT_FALSE(found->at_end());
  EXPECT_TRUE(epoch.find("Epoch 3/5")->at_end()) << "it may become 50";
  EXPECT_FALSE(epoch.find("Epoch three"));
}

TEST(LinePattern, FindsGroupsByTheirNameInAnyOrder) {
  const LinePattern of(R"(of (?<total>\d+) \((?:no|group) [(]: (?<number>\d+)\))");
  const auto found = of.find("of 50 (no (: 3)");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->group("number", 1), "3");
  EXPECT_EQ(found->group("total", 2), "50");
  EXPECT_EQ(found->group("path", 1), std::nullopt)
      << "numbers count only where no group has a name";
  EXPECT_TRUE(of.has("total", 7));
  EXPECT_FALSE(of.has("path", 1));
}

TEST(LinePattern, ReportsErrors) {
  EXPECT_THROW(LinePattern("(a"), std::invalid_argument);
  EXPECT_THROW(LinePattern("(?<a"), std::invalid_argument);
  for (const char* text : {"(?<=a)b", "(?<!a)b", "(?<n>a)(?<n>b)", "(?<>a)", "(?<a b>c)"})
    EXPECT_THROW(LinePattern{text}, std::invalid_argument) << text;
  for (const char* text : {R"((a)\1)", "a(?=b)", "(a{1000}){1000}"})
    EXPECT_THROW(LinePattern{text}, std::invalid_argument) << text;
  EXPECT_FALSE(LinePattern("a").has("number", 1));
}

// A matcher that backtracks needs 2^30 steps for this line.
TEST(LinePattern, TakesNoLongerForNestedRepetitions) {
  const LinePattern nested(R"(^(a+)+ step (\d+)/(\d+)$)");
  EXPECT_FALSE(nested.find(std::string(30, 'a') + "!"));
  EXPECT_FALSE(nested.find(std::string(1'000'000, 'a')));
  const auto found = nested.find(std::string(1'000'000, 'a') + " step 7/9");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->group("number", 2), "7");
}

TEST(LinePattern, ReadsLinesThatAreNotUtf8) {
  const auto found = LinePattern(R"(step (\d+) .*loss)").find("step 5 \xff\xfe loss");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->group("number", 1), "5");
}

}  // namespace
}  // namespace sim::guest
