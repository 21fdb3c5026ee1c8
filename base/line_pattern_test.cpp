#include "base/line_pattern.h"

#include <gtest/gtest.h>

namespace base {
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
  EXPECT_EQ(found->group("path", 1), std::nullopt) << "who names groups means no numbers";
  EXPECT_TRUE(of.has("total", 7));
  EXPECT_FALSE(of.has("path", 1));
}

TEST(LinePattern, SaysWhatIsWrong) {
  EXPECT_THROW(LinePattern("(a"), std::invalid_argument);
  EXPECT_THROW(LinePattern("(?<a"), std::invalid_argument);
  for (const char* text : {"(?<=a)b", "(?<!a)b", "(?<n>a)(?<n>b)", "(?<>a)", "(?<a b>c)"})
    EXPECT_THROW(LinePattern{text}, std::invalid_argument) << text;
  EXPECT_FALSE(LinePattern("a").has("number", 1));
}

}  // namespace
}  // namespace base
