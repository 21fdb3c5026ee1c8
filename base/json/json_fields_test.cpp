#include "base/json/json_fields.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace base {
namespace {

JsonFields fields_of(const std::string& text) {
  return {nlohmann::ordered_json::parse(text),
          [](const std::string& pointer, const std::string& found, const std::string& expected) {
            throw std::runtime_error(pointer + ": found " + found + ", expected " + expected);
          }};
}

template <class Read>
std::string refusal(const std::string& text, const Read& read) {
  try {
    JsonFields fields = fields_of(text);
    read(fields);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

TEST(JsonFields, AListOfObjectsHasThePlaceOfEach) {
  JsonFields fields = fields_of(R"({"zones": [{"name": "a"}, {"nome": "b"}]})");
  std::vector<JsonFields> zones = fields.objects("zones");
  ASSERT_EQ(zones.size(), 2u);
  EXPECT_EQ(zones[0].required_text("name", "a name"), "a");
  EXPECT_EQ(refusal(R"({"zones": [{"name": "a"}, {}]})",
                    [](JsonFields& f) { f.objects("zones")[1].required_text("name", "a name"); }),
            "/zones/1/name: found nothing, expected a name");
  EXPECT_EQ(refusal(R"({"zones": {}})", [](JsonFields& f) { f.objects("zones"); }),
            "/zones: found {}, expected a list of objects");
}

TEST(JsonFields, AreReadByTheirTypes) {
  JsonFields fields = fields_of(
      R"({"name": "a", "how": "hard", "slots": 3, "next": true, "all": ["x"], "in": {"b": 0}})");
  EXPECT_EQ(fields.required_text("name", "a name"), "a");
  EXPECT_EQ(fields.choice("how", {"notice", "hard"}), "hard");
  EXPECT_EQ(fields.integer("slots", 0, 3), 3);
  EXPECT_EQ(fields.flag("next"), true);
  EXPECT_EQ(fields.texts("all", "a letter"), std::vector<std::string>{"x"});
  EXPECT_EQ(fields.text("none", "a text"), std::nullopt);
  EXPECT_EQ(fields.unread(), "in");
  EXPECT_EQ(fields.required_object("in").names(), (std::vector<std::string>{"b"}));
  fields.finish();
}

TEST(JsonFields, ErrorsHaveThePlaceTheValueAndWhatIsExpected) {
  const std::string text =
      R"({"a/b~": {"n": "1"}, "empty": "", "big": 18446744073709551615, "all": ["x", 1], "o": 1})";
  EXPECT_EQ(refusal(text, [](JsonFields& f) { f.object("a/b~")->integer("n", 0, 9); }),
            "/a~1b~0/n: found \"1\", expected a whole number from 0 to 9");
  EXPECT_EQ(refusal(text, [](JsonFields& f) { f.object("a/b~")->required_text("m", "a text"); }),
            "/a~1b~0/m: found nothing, expected a text");
  EXPECT_EQ(refusal(text, [](JsonFields& f) { f.text("empty", "a text"); }),
            "/empty: found \"\", expected a text");
  EXPECT_EQ(refusal(text, [](JsonFields& f) { f.integer("big", -1, 9); }),
            "/big: found 18446744073709551615, expected a whole number from -1 to 9");
  EXPECT_EQ(refusal(text, [](JsonFields& f) { f.texts("all", "a letter"); }),
            "/all/1: found 1, expected a letter");
  EXPECT_EQ(refusal(text, [](JsonFields& f) { f.object("o"); }), "/o: found 1, expected an object");
  EXPECT_EQ(refusal("[1]", [](JsonFields&) {}), ": found [1], expected an object");
  EXPECT_EQ(refusal(R"({"a": 1, "c": 2})",
                    [](JsonFields& f) {
                      f.integer("a", 0, 9);
                      f.flag("b");
                      f.finish();
                    }),
            "/c: found an unknown key, expected one of a, b");
}

}  // namespace
}  // namespace base
