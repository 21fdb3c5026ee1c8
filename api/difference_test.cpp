#include "api/difference.h"

#include <gtest/gtest.h>

#include <chrono>

#include "api/ec2.h"
#include "api/toy_for_test.h"

namespace api {
namespace {

std::string between(const Toy& a, const Toy& b) { return first_difference(kToyShape, &a, &b); }

TEST(ApiDifference, EqualObjectsHaveNone) {
  const auto toy = [] {
    return Toy{.name = "a",
               .color = "red",
               .size = 1,
               .child = Toy{.name = "b"},
               .children = {Toy{.size = 2}, Toy{}},
               .tags = {},
               .words = {"x", "y"}};
  };
  EXPECT_EQ(between({}, {}), "");
  EXPECT_EQ(between(toy(), toy()), "");
}

TEST(ApiDifference, NamesTheFirstByPathWithBothValues) {
  EXPECT_EQ(between({.name = "a"}, {.name = "b"}), "Name: a, b");
  EXPECT_EQ(between({.size = 1}, {}), "Size: given, not given");
  EXPECT_EQ(between({}, {.size = 1}), "Size: not given, given");
  EXPECT_EQ(between({.child = Toy{.size = 1}}, {.child = Toy{.size = 2}}), "Child.Size: 1, 2");
  EXPECT_EQ(between({.children = {Toy{}, Toy{.color = "red"}}},
                    {.children = {Toy{}, Toy{.color = "blue"}}}),
            "Children.2.Color: red, blue");
  EXPECT_EQ(between({.words = {"x"}}, {.words = {"x", "y"}}), "Words: 1 entries, 2 entries");
  EXPECT_EQ(between({.name = "a", .size = 1}, {.name = "b", .size = 2}), "Name: a, b");
}

TEST(ApiDifference, MapsDifferInKeysAndInValues) {
  Toy a, b;
  a.tags["k"] = "v";
  b.tags["k"] = "w";
  EXPECT_EQ(between(a, b), "Tags.k: v, w");
  b.tags.clear();
  b.tags["l"] = "v";
  EXPECT_EQ(between(a, b), "Tags: k, l");
}

TEST(ApiDifference, AListThatIsGivenEmptyIsNotOneThatIsNotGiven) {
  Toy empty;
  empty.words.give();
  EXPECT_EQ(between(empty, {}), "Words: given, not given");
}

TEST(ApiDifference, TimesDifferByANanosecond) {
  using std::chrono::nanoseconds;
  const ec2::Volume a{.create_time = Timestamp(nanoseconds(5))};
  const ec2::Volume b{.create_time = Timestamp(nanoseconds(6))};
  const Operation& operation =
      ec2::op::CreateVolume::service().operations[ec2::op::CreateVolume::kAt];
  const Shape& shape = *operation.output.shape;
  EXPECT_EQ(first_difference(shape, &a, &a), "");
  EXPECT_EQ(first_difference(shape, &a, &b),
            "CreateTime: 1970-01-01T00:00:00.000Z (5 ns), 1970-01-01T00:00:00.000Z (6 ns)");
}

}  // namespace
}  // namespace api
