#include "report/page.h"

#include <gtest/gtest.h>

namespace page {
namespace {

TEST(Page, TextThatWouldEndTheScriptIsEscaped) {
  EXPECT_EQ(for_script(R"({"a":"</script><!--"})"), R"({"a":"\u003c/script>\u003c!--"})");
  EXPECT_EQ(for_script("{\"a\":\"x\xe2\x80\xa8y\xe2\x80\xa9z\xe2\x80\xaa\"}"),
            "{\"a\":\"x\\u2028y\\u2029z\xe2\x80\xaa\"}");
}

TEST(Page, HasTheDataOnceAndAsksForNothingElse) {
  if (!has_page()) {
    EXPECT_THROW(page_of("{}"), std::runtime_error);
    GTEST_SKIP() << "the build had no esbuild or d3";
  }
  const std::string page = page_of(R"({"mine":"</script>"})");
  EXPECT_NE(page.find(R"({"mine":"\u003c/script>"})"), std::string::npos);
  EXPECT_EQ(page.find("src=\"http"), std::string::npos);
  EXPECT_EQ(page.find("/*DATA*/"), std::string::npos);
  EXPECT_LT(page.size(), 400'000u);
}

}  // namespace
}  // namespace page
