#include "sim/messaging/event_pattern.h"

#include <gtest/gtest.h>

#include "sim/cloud/error.h"

namespace sim::messaging {
namespace {

const Json kEvent = Json::parse(R"({
  "source": "aws.ec2", "detail-type": "EC2 Instance State-change Notification",
  "resources": ["arn:aws:ec2:us-west-2:123456789012:instance/i-1"],
  "detail": {"instance-id": "i-1", "state": "running", "count": 3, "ip": "10.0.1.7",
             "spot": true, "note": null, "disks": [{"size": 8}, {"size": 100}], "Name": "Trainer-1"}
})");

struct Case {
  const char* pattern;
  bool matches;
};

class PatternTest : public testing::TestWithParam<Case> {};

TEST_P(PatternTest, MatchesAsAwsDescribes) {
  EXPECT_EQ(EventPattern(GetParam().pattern).matches(kEvent), GetParam().matches)
      << GetParam().pattern;
}

constexpr Case kCases[] = {
    {R"({"source": ["aws.ec2"]})", true},
    {R"({"source": ["aws.s3", "aws.ec2"]})", true},
    {R"({"source": ["aws.s3"]})", false},
    {R"({"source": ["aws.ec2"], "detail": {"state": ["stopped"]}})", false},
    {R"({"detail": {"state": ["running"], "count": [3]}})", true},
    {R"({"detail": {"count": [3.0]}})", true},
    {R"({"detail": {"count": ["3"]}})", false},
    {R"({"detail": {"spot": [true], "note": [null]}})", true},
    {R"({"resources": [{"prefix": "arn:aws:ec2:"}]})", true},
    {R"({"detail": {"Name": [{"prefix": {"equals-ignore-case": "trainer"}}]}})", true},
    {R"({"detail": {"Name": [{"prefix": "trainer"}]}})", false},
    {R"({"detail": {"Name": [{"suffix": "-1"}]}})", true},
    {R"({"detail": {"Name": [{"equals-ignore-case": "TRAINER-1"}]}})", true},
    {R"({"detail": {"Name": [{"wildcard": "T*er-*"}]}})", true},
    {R"({"detail": {"Name": [{"wildcard": "*er"}]}})", false},
    {R"({"detail": {"Name": [{"wildcard": "T*r*r-*"}]}})", true},
    {R"({"detail": {"Name": [{"wildcard": "Trainer\\*"}]}})", false},
    {R"({"detail": {"state": [{"anything-but": "stopped"}]}})", true},
    {R"({"detail": {"state": [{"anything-but": ["stopped", "running"]}]}})", false},
    {R"({"detail": {"state": [{"anything-but": {"prefix": "run"}}]}})", false},
    {R"({"detail": {"count": [{"numeric": [">", 1, "<=", 3]}]}})", true},
    {R"({"detail": {"count": [{"numeric": ["<", 3]}]}})", false},
    {R"({"detail": {"state": [{"numeric": ["<", 3]}]}})", false},
    {R"({"detail": {"ip": [{"cidr": "10.0.0.0/16"}]}})", true},
    {R"({"detail": {"ip": [{"cidr": "10.1.0.0/16"}]}})", false},
    {R"({"detail": {"state": [{"exists": true}]}})", true},
    {R"({"detail": {"colour": [{"exists": false}]}})", true},
    {R"({"detail": {"colour": [{"exists": true}]}})", false},
    {R"({"detail": {"disks": {"size": [100]}}})", true},
    {R"({"detail": {"disks": {"size": [16]}}})", false},
    {R"({"$or": [{"source": ["aws.s3"]}, {"detail": {"state": ["running"]}}]})", true},
    {R"({"detail": {"$or": [{"state": ["stopped"]}, {"count": [{"numeric": [">", 5]}]}]}})", false},
};
INSTANTIATE_TEST_SUITE_P(All, PatternTest, testing::ValuesIn(kCases));

// A search that tried each place of each star would not end.
TEST(EventPatterns, AWildcardWithManyStarsIsDecidedAtOnce) {
  const Json event{{"a", std::string(1000, 'a')}};
  EXPECT_FALSE(EventPattern(R"({"a": [{"wildcard": "*a*a*a*a*a*a*a*a*b"}]})").matches(event));
  EXPECT_TRUE(EventPattern(R"({"a": [{"wildcard": "a*a*a*a*a*a*a*a*a"}]})").matches(event));
}

TEST(EventPatternErrors, NameThePlace) {
  const auto error = [](const char* text) -> std::string {
    try {
      EventPattern pattern(text);
    } catch (const cloud::ApiError& refused) {
      return refused.code() + ": " + refused.what();
    }
    return "";
  };
  const std::string begin = "InvalidEventPatternException: Event pattern is not valid. Reason: ";
  EXPECT_EQ(error("{"), begin + "it is not JSON");
  EXPECT_EQ(error("{}"), begin + "Empty objects are not allowed");
  EXPECT_EQ(error(R"({"a": {"b": []}})"), begin + "a.b: Empty arrays are not allowed");
  EXPECT_EQ(error(R"({"a": "b"})"), begin + "a: \"match value must be an array\"");
  EXPECT_EQ(error(R"({"a": [{"like": "b"}]})"), begin + "a: Unrecognized match type like");
  EXPECT_EQ(error(R"({"a": [{"numeric": ["!", 1]}]})"),
            begin + "a: pairs of an operator and a number are expected");
  EXPECT_EQ(error(R"({"$or": [{"a": ["b"]}]})"),
            begin + "$or: $or must be an array of at least two patterns");
}

}  // namespace
}  // namespace sim::messaging
