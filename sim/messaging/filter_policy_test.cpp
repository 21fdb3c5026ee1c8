#include "sim/messaging/filter_policy.h"

#include <gtest/gtest.h>

#include <random>

#include "api/fuzz/fuzz.h"
#include "sim/cloud/error.h"

namespace sim::messaging {
namespace {

std::string error_of(const std::string& policy,
                     FilterScope scope = FilterScope::kMessageAttributes) {
  try {
    check_filter_policy(policy, scope, "Attributes Reason: ");
  } catch (const cloud::ApiError& refused) {
    const std::string begin = "Invalid parameter: Attributes Reason: ";
    EXPECT_EQ(refused.code(), "InvalidParameter");
    EXPECT_TRUE(std::string(refused.what()).starts_with(begin)) << refused.what();
    return std::string(refused.what()).substr(begin.size());
  }
  return "";
}

struct PolicyCase {
  const char* policy;
  const char* error;  // after "FilterPolicy: "; empty: it is accepted
};

class InvalidFilterPolicy : public testing::TestWithParam<PolicyCase> {};

TEST_P(InvalidFilterPolicy, HasAwssText) {
  const std::string why = GetParam().error;
  EXPECT_EQ(error_of(GetParam().policy), why.empty() ? "" : "FilterPolicy: " + why)
      << GetParam().policy;
}

constexpr PolicyCase kPolicyCases[] = {
    {"{", "failed to parse JSON."},
    {R"({"a": [1], "b": [1], "c": [1], "d": [1], "e": [1], "f": [1]})",
     "Filter policy can not have more than 5 keys"},
    {R"({"a": []})", "Empty arrays are not allowed"},
    {R"({"a": "b"})", R"("a" must be an object or an array)"},
    {R"({"a": [["b"]]})", "Match value must be String, number, true, false, or null"},
    {R"({"a": [{"exists": null}]})", "exists match pattern must be either true or false."},
    {R"({"a": [{"like": "b"}]})", "Unrecognized match type like"},
    {R"({"a": [{"prefix": "b", "suffix": "c"}]})", "Only one key allowed in match expression"},
    {R"({"a": [{"prefix": 1}]})", "prefix match pattern must be a string"},
    {R"({"a": [{"anything-but": {"exists": true}}]})", "Unsupported anything-but pattern: exists"},
    {R"({"a": [{"numeric": []}]})", "Invalid member in numeric match: ]"},
    {R"({"a": [{"numeric": [5]}]})", "Invalid member in numeric match: 5"},
    {R"({"a": [{"numeric": ["!=", 5]}]})", "Unrecognized numeric range operator: !="},
    {R"({"a": [{"numeric": ["<", "5"]}]})", "Value of < must be numeric"},
    {R"({"a": [{"numeric": ["="]}]})", "Value of equals must be numeric"},
    {R"({"a": [{"numeric": ["<", 5, "<", 7]}]})", "Too many elements in numeric expression"},
    {R"({"a": [{"numeric": [">", 5, ">", 7]}]})", "Bad numeric range operator: >"},
    {R"({"a": [{"numeric": [">", 5, 7]}]})", "Bad value in numeric range: 7"},
    {R"({"a": [{"numeric": [">", 5, "<"]}]})", "Value of < must be numeric"},
    {R"({"a": [{"numeric": [">", 5, "<", 5]}]})", "Bottom must be less than top"},
    {R"({"a": [{"numeric": [">", 5, "<", 6, "<", 7]}]})",
     "Too many terms in numeric range expression"},
    {R"({"a": [{"cidr": "10.0.0.0"}]})", "Malformed CIDR, one '/' required"},
    {R"({"a": ["b", 1, true, null, {"exists": false}], "c": [{"numeric": [">=", 0, "<", 1]}]})",
     ""},
};
INSTANTIATE_TEST_SUITE_P(All, InvalidFilterPolicy, testing::ValuesIn(kPolicyCases));

TEST(FilterPolicy, IsNestedForMessageBodiesOnly) {
  const std::string nested = R"({"a": {"b": ["c"]}})";
  EXPECT_EQ(error_of(nested),
            "Filter policy scope MessageAttributes does not support nested filter policy");
  EXPECT_EQ(error_of(nested, FilterScope::kMessageBody), "");
}

TEST(FilterPolicy, HasAtMost150Combinations) {
  const auto values = [](int count) {
    std::string list = "[0";
    for (int i = 1; i < count; ++i) list += "," + std::to_string(i);
    return list + "]";
  };
  const std::string too_complex = "FilterPolicy: Filter policy is too complex";
  EXPECT_EQ(error_of(R"({"a": )" + values(150) + "}"), "");
  EXPECT_EQ(error_of(R"({"a": )" + values(151) + "}"), too_complex);
  EXPECT_EQ(error_of(R"({"a": )" + values(15) + R"(, "b": )" + values(10) + "}"), "");
  EXPECT_EQ(error_of(R"({"a": )" + values(19) + R"(, "b": )" + values(8) + "}"), too_complex);
  EXPECT_EQ(error_of(R"({"a": {"b": )" + values(76) + "}}", FilterScope::kMessageBody), too_complex)
      << "the second level counts twice";
  EXPECT_EQ(error_of(R"({"$or": [{"a": )" + values(80) + R"(}, {"b": )" + values(70) + "}]}"), "");
}

TEST(FilterPolicy, IsNestedAtMost20Deep) {
  const auto nested = [](int levels, const std::string& open, const std::string& close) {
    std::string text = R"({"a": [1]})";
    for (int i = 1; i < levels; ++i) text = open + text + close;
    return text;
  };
  const auto alternatives = [&](int levels) { return nested(levels, R"({"$or": [)", "]}"); };
  EXPECT_EQ(error_of(alternatives(20)), "");
  EXPECT_EQ(error_of(alternatives(21)), "FilterPolicy: Filter policy is too complex");
  EXPECT_EQ(error_of(nested(21, R"({"b": )", "}"), FilterScope::kMessageBody),
            "FilterPolicy: Filter policy is too complex");
  const std::string open = R"({"$or": [)";
  std::string deep;
  for (int i = 0; i < 20'000; ++i) deep += open;
  EXPECT_EQ(error_of(deep + "{}"), "FilterPolicy: failed to parse JSON.");
  for (int i = 0; i < 20'000; ++i) deep += i == 0 ? "{}]}" : "]}";
  EXPECT_EQ(error_of(deep), "FilterPolicy: failed to parse JSON.");
  const std::string arrays = std::string(200'000, '[') + std::string(200'000, ']');
  EXPECT_EQ(error_of(R"({"a": [{"numeric": [)" + arrays + "]}]}"),
            "FilterPolicy: failed to parse JSON.");
}

TEST(FilterPolicy, AnyTextIsReadOrRefused) {
  std::mt19937 random(5);
  const std::string whole =
      R"({"a": ["b", 1, null, {"numeric": [">", 0, "<=", 9]}], "c": {"d": [{"exists": true},
      {"anything-but": ["e", "f"]}, {"prefix": "g"}, {"cidr": "10.0.0.0/8"}]},
      "$or": [{"h": ["i"]}, {"j": [{"equals-ignore-case": "k"}]}]})";
  int refused = 0;
  for (int round = 0; round < api::fuzz_rounds(); ++round) {
    const std::string text = api::damaged(whole, random);
    refused += error_of(text, FilterScope::kMessageBody).empty() ? 0 : 1;
  }
  EXPECT_GT(refused, api::fuzz_rounds() / 10);
}

}  // namespace
}  // namespace sim::messaging
