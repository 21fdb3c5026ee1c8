#include "sim/iam/condition.h"

#include <gtest/gtest.h>

#include <map>

namespace sim::iam {
namespace {

using Keys = std::map<std::string, Values>;

ContextKeys context_of(const Keys& keys) {
  return [&keys](std::string_view key) -> std::optional<Values> {
    const auto found = keys.find(std::string(key));
    return found == keys.end() ? std::nullopt : std::optional(found->second);
  };
}

bool holds_for(const std::string& operation, const Values& stated,
               const std::optional<Values>& requested) {
  Condition condition = read_operator(operation).value();
  condition.key = "k";
  condition.values = stated;
  const Keys keys = requested ? Keys{{"k", *requested}} : Keys{};
  return holds(condition, context_of(keys), true);
}

struct OperatorCase {
  const char* operation;
  Values stated, requested;
  bool holds;
};

// IAM User Guide, "IAM JSON policy elements: Condition operators".
TEST(Condition, EachOperatorComparesAsItsPageSays) {
  const OperatorCase cases[] = {
      {"StringEquals", {"job", "Job"}, {"Job"}, true},
      {"StringEquals", {"job"}, {"Job"}, false},
      {"StringEquals", {"j*"}, {"job"}, false},
      {"StringNotEquals", {"a", "b"}, {"c"}, true},
      {"StringNotEquals", {"a", "b"}, {"b"}, false},
      {"StringEqualsIgnoreCase", {"JOB"}, {"job"}, true},
      {"StringNotEqualsIgnoreCase", {"JOB"}, {"job"}, false},
      {"StringLike", {"home/*/a?c"}, {"home/x/y/abc"}, true},
      {"StringLike", {"Home/*"}, {"home/x"}, false},
      {"StringNotLike", {"home/*"}, {"home/x"}, false},
      {"StringLike", {"${*}"}, {"*"}, true},
      {"StringLike", {"${*}"}, {"x"}, false},
      {"NumericEquals", {"10"}, {"10.0"}, true},
      {"NumericNotEquals", {"10"}, {"10"}, false},
      {"NumericLessThan", {"10"}, {"9"}, true},
      {"NumericLessThan", {"10"}, {"10"}, false},
      {"NumericLessThanEquals", {"10"}, {"10"}, true},
      {"NumericGreaterThan", {"3"}, {"11"}, true},
      {"NumericGreaterThanEquals", {"3"}, {"3"}, true},
      {"NumericEquals", {"ten"}, {"ten"}, false},
      {"DateGreaterThan", {"2019-07-16T12:00:00Z"}, {"2019-07-16T12:00:01Z"}, true},
      {"DateLessThan", {"2019-07-16T12:00:00Z"}, {"2019-07-16T14:00:00+03:00"}, true},
      {"DateLessThan", {"2020-04-01"}, {"1572948000"}, true},
      {"DateEquals", {"2019"}, {"2019-01-01T00:00:00Z"}, true},
      {"DateNotEquals", {"2019"}, {"2019-01-02"}, true},
      {"DateLessThanEquals", {"2019-11-05T10:00:00Z"}, {"1572948000"}, true},
      {"DateGreaterThanEquals", {"2019-11-05T10:00:01Z"}, {"1572948000"}, false},
      {"Bool", {"true"}, {"True"}, true},
      {"Bool", {"true"}, {"false"}, false},
      {"BinaryEquals", {"QmluYXJ5"}, {"QmluYXJ5"}, true},
      {"IpAddress", {"203.0.113.0/24"}, {"203.0.113.77"}, true},
      {"IpAddress", {"203.0.113.0/25"}, {"203.0.113.177"}, false},
      {"IpAddress", {"203.0.113.9"}, {"203.0.113.9"}, true},
      {"IpAddress", {"2001:DB8:1234:5678::/64"}, {"2001:db8:1234:5678:1::9"}, true},
      {"IpAddress", {"2001:DB8:1234:5678::/64"}, {"2001:db8:1234:5679::9"}, false},
      {"IpAddress", {"203.0.113.0/24"}, {"2001:db8::1"}, false},
      {"NotIpAddress", {"192.0.2.0/24", "203.0.113.0/24"}, {"203.0.113.7"}, false},
      {"NotIpAddress", {"192.0.2.0/24"}, {"203.0.113.7"}, true},
      {"ArnLike", {"arn:aws:iam::*:role/a*"}, {"arn:aws:iam::123456789012:role/abc"}, true},
      {"ArnEquals", {"arn:aws:iam::*:role/a*"}, {"arn:aws:iam::123456789012:role/abc"}, true},
      {"ArnLike", {"arn:aws:*:role/a"}, {"arn:aws:iam::123456789012:role/a"}, false},
      {"ArnNotLike", {"arn:aws:iam::*:role/a*"}, {"arn:aws:iam::1:role/abc"}, false},
      {"ArnNotEquals", {"arn:aws:iam::*:role/a"}, {"arn:aws:iam::1:role/b"}, true},
  };
  for (const OperatorCase& c : cases)
    EXPECT_EQ(holds_for(c.operation, c.stated, c.requested), c.holds)
        << c.operation << " " << c.stated.front() << " " << c.requested.front();
  EXPECT_FALSE(read_operator("StringIs"));
}

TEST(Condition, AnAbsentKeySatisfiesNegatedOperatorsAndIfExists) {
  const std::pair<const char*, bool> cases[] = {{"StringEquals", false},
                                                {"StringNotEquals", true},
                                                {"NotIpAddress", true},
                                                {"ArnNotLike", true},
                                                {"Bool", false},
                                                {"NumericLessThan", false},
                                                {"StringEqualsIfExists", true},
                                                {"BoolIfExists", true},
                                                {"ForAllValues:StringEquals", true},
                                                {"ForAnyValue:StringEquals", false},
                                                {"ForAnyValue:StringEqualsIfExists", true}};
  for (const auto& [operation, expected] : cases)
    EXPECT_EQ(holds_for(operation, {"true"}, {}), expected) << operation;
}

TEST(Condition, NullAsksWhetherTheKeyIsThere) {
  EXPECT_TRUE(holds_for("Null", {"true"}, {}));
  EXPECT_FALSE(holds_for("Null", {"true"}, Values{"x"}));
  EXPECT_TRUE(holds_for("Null", {"false"}, Values{"x"}));
  EXPECT_FALSE(holds_for("Null", {"false"}, {}));
}

// IAM User Guide, "Set operators for multivalued context keys", its table.
TEST(Condition, SetOperatorsLookAtEachValueOfTheRequest) {
  const OperatorCase cases[] = {
      {"ForAllValues:StringEquals", {"a", "b", "c"}, {"a", "b"}, true},
      {"ForAllValues:StringEquals", {"a", "b"}, {"a", "d"}, false},
      {"ForAllValues:StringNotEquals", {"a"}, {"b", "c"}, true},
      {"ForAllValues:StringNotEquals", {"a"}, {"a", "c"}, false},
      {"ForAnyValue:StringEquals", {"a", "b"}, {"d", "b"}, true},
      {"ForAnyValue:StringEquals", {"a", "b"}, {"d", "e"}, false},
      {"ForAnyValue:StringNotEquals", {"a"}, {"a", "c"}, true},
      {"ForAnyValue:StringNotEquals", {"a"}, {"a"}, false},
      {"ForAllValues:StringLike", {"job-*"}, {"job-1", "job-2"}, true},
  };
  for (const OperatorCase& c : cases)
    EXPECT_EQ(holds_for(c.operation, c.stated, c.requested), c.holds) << c.operation;
}

TEST(Condition, VariablesAreReplacedAndTheirWildcardsAreLiteral) {
  const Keys keys{{"aws:username", {"eve*"}}, {"k", {"eve*"}}};
  const ContextKeys context = context_of(keys);
  EXPECT_TRUE(
      matches_pattern(with_variables("home/${aws:username}/*", context).value(), "home/eve*/a"));
  EXPECT_FALSE(matches_pattern(with_variables("home/${aws:username}/*", context).value(),
                               "home/everybody/a"));
  EXPECT_EQ(with_variables("${aws:PrincipalTag/team, 'all'}/x", context), "all/x");
  EXPECT_FALSE(with_variables("${aws:PrincipalTag/team}/x", context));
  EXPECT_EQ(with_variables("${$}{a}", context), "${a}");
  EXPECT_TRUE(holds_for("StringEquals", {"${k}"}, Values{"x?"}));
}

TEST(Condition, PatternsMatchLongTextsInShortTime) {
  const std::string text(5000, 'a');
  EXPECT_FALSE(matches_pattern("*a*a*a*a*a*a*a*a*b", text));
  EXPECT_TRUE(matches_pattern("*a?*", "xaay"));
  EXPECT_TRUE(matches_pattern("", ""));
  EXPECT_FALSE(matches_pattern("?", ""));
}

}  // namespace
}  // namespace sim::iam
