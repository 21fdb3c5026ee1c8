#include "base/json_text.h"

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

}  // namespace
}  // namespace base
