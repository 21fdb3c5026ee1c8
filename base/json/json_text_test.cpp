#include "base/json/json_text.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace base {
namespace {

TEST(TextOf, IsTheTextOrNothing) {
  const auto object = nlohmann::json::parse(R"({"a": "text", "b": 1, "c": null, "d": ["x"]})");
  EXPECT_EQ(text_of(object, "a"), "text");
  for (const char* other : {"b", "c", "d", "e", ""}) EXPECT_EQ(text_of(object, other), "");
  EXPECT_EQ(text_of(nlohmann::ordered_json(object), "a"), "text");
}

TEST(TextOf, OfWhatIsNoObjectIsNothing) {
  for (const char* document : {"[\"a\"]", "\"a\"", "null", "1"})
    EXPECT_EQ(text_of(nlohmann::json::parse(document), "a"), "");
  EXPECT_EQ(text_of(nlohmann::json::parse("<html>", nullptr, false), "a"), "");
}

TEST(ParseJson, RefusesWhatIsDeepOrNoJson) {
  EXPECT_EQ(parse_json(R"({"a":[[1]]})", 3)["a"][0][0], 1);
  EXPECT_TRUE(parse_json(R"({"a":[[1]]})", 2).is_discarded());
  EXPECT_TRUE(parse_json(std::string(1'000'000, '['), 100).is_discarded());
  EXPECT_TRUE(parse_json("{", 100).is_discarded());
}

}  // namespace
}  // namespace base
