#include "sim/kernel/json_object.h"

#include <gtest/gtest.h>

namespace sim {
namespace {

TEST(JsonObject, IsWhatJsonsBracesMake) {
  const std::string text = "b";
  const std::string_view view = "c";
  const Json braces{{"text", text},
                    {"view", view},
                    {"none", nullptr},
                    {"number", 7},
                    {"list", std::vector<std::string>{"x"}}};
  const Json made = json_object({{"text", text},
                                 {"view", view},
                                 {"none", nullptr},
                                 {"number", 7},
                                 {"list", std::vector<std::string>{"x"}}});
  EXPECT_EQ(made.dump(), braces.dump());
  EXPECT_EQ(json_object({{"text", text}}).dump(), R"({"text":"b"})");
  EXPECT_EQ(json_object({}).dump(), "{}");
}

}  // namespace
}  // namespace sim
