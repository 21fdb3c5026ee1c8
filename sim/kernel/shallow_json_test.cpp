#include "sim/kernel/shallow_json.h"

#include <gtest/gtest.h>

#include <string>

namespace sim {
namespace {

std::string nested(std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); }

TEST(ShallowJson, IsNestedAtMostAHundredDeep) {
  EXPECT_TRUE(parse_shallow_json(nested(100)).is_array());
  EXPECT_TRUE(parse_shallow_json(nested(101)).is_discarded());
  EXPECT_TRUE(parse_shallow_json(nested(1'000'000)).is_discarded());
  EXPECT_TRUE(parse_shallow_json("[[").is_discarded()) << "no JSON";
}

TEST(ShallowJson, BracketsInStringsDoNotCount) {
  const std::string brackets(200, '[');
  EXPECT_EQ(parse_shallow_json("[\"" + brackets + "\"]")[0], brackets);
  EXPECT_EQ(parse_shallow_json(R"(["\")" + brackets + "\"]")[0], '"' + brackets);
}

}  // namespace
}  // namespace sim
