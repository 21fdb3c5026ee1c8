#include "sim/scenario/yaml_syntax.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <yaml-cpp/yaml.h>

namespace sim::scenario {
namespace {

std::string told(const std::string& text) {
  const auto error = syntax_error(text);
  if (!error) return "";
  return fmt::format("{}:{}: {}", error->place.line, error->place.column, error->what);
}

constexpr const char* kDouble =
    ": found a \" that is not closed, expected another \" before the next key";
constexpr const char* kSingle =
    ": found a ' that is not closed, expected another ' before the next key";

TEST(YamlSyntax, AnUnclosedQuoteIsReportedWhereItOpens) {
  EXPECT_EQ(told("name: t\ndescription: \"My job\nlimit: 6h\n"), std::string("2:14") + kDouble);
  EXPECT_EQ(told("name: t\ndescription: 'My job\nlimit: 6h\n"), std::string("2:14") + kSingle);
  EXPECT_EQ(told("a: \"x"), std::string("1:4") + kDouble);
  EXPECT_EQ(told("a: \"x\\\"\n"), std::string("1:4") + kDouble);
  EXPECT_EQ(told("a: 'x''\n"), std::string("1:4") + kSingle);
  EXPECT_EQ(told("\"a: x\nb: y\n"), std::string("1:1") + kDouble);
}

TEST(YamlSyntax, AnotherQuoteFurtherDownDoesNotCloseIt) {
  EXPECT_EQ(told("a: \"x\nscript: |\n  echo \"hello\"\n"), std::string("1:4") + kDouble);
  EXPECT_EQ(told("a: 'x\nb: 'y'\n"), std::string("1:4") + kSingle);
  EXPECT_EQ(told("m:\n  - at: \"1h\n    pool: \"p\"\n"), std::string("2:9") + kDouble);
  EXPECT_EQ(told("m:\n- \"a\n- \"b\"\n"), std::string("2:3") + kDouble);
  EXPECT_EQ(told("m: {a: \"x, b: y}\nc: \"z\"\n"), std::string("1:8") + kDouble);
}

TEST(YamlSyntax, QuotedTextMayHaveSeveralLines) {
  for (const char* text :
       {"a: \"x\n  y\"\nb: z\n", "a: 'x\n\n  y it''s'\n", "- \"a\n  b\"\n", "m:\n- \"a\n  b\"\n",
        "m: {\n  a: \"x\n  y\"}\n", "\"x\ny\"\n", "a: \"x \\\n  y\"\n", "a: !!str &b \"x\n  y\"\n",
        "a: it's\nb: 5\"\n# \"\n", "s: |\n  echo \"\nb: c\n",
        "\xEF\xBB\xBF"
        "a: \"x\"\nb: it's\n"}) {
    EXPECT_EQ(told(text), "") << text;
    EXPECT_NO_THROW(YAML::Load(text)) << text;
  }
}

TEST(YamlSyntax, AnUnclosedBracketIsReportedWhereItOpens) {
  EXPECT_EQ(told("a: b\nm: {p: [x]\nc: d\n"),
            "2:4: found a { that is not closed, expected a }, or a comma between its parts");
  EXPECT_EQ(told("m: {p: [x, y\n"),
            "1:8: found a [ that is not closed, expected a ], or a comma between its parts");
  EXPECT_EQ(told("m: {p: [x}\n"), "1:10: found another bracket, expected a ] for the [ at 1:8");
}

TEST(YamlSyntax, OtherMistakesReportWhatIsExpected) {
  EXPECT_EQ(told("limit 6h\nmarket: x\n").rfind("2:7: found a colon where no value can begin", 0),
            0u);
  EXPECT_EQ(told("a: b: c\n").rfind("1:5: found a colon where no value can begin", 0), 0u);
  EXPECT_EQ(told("a: 1\n  b: 2\n").rfind("2:4: found a colon where no value can begin", 0), 0u);
  EXPECT_EQ(
      told("m:\n  a: 1\n - b\n"),
      "3:2: found text that is not part of the mapping before it, expected the same indentation");
}

}  // namespace
}  // namespace sim::scenario
