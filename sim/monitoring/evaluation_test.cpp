// The tables of AWS's page "Configuring how CloudWatch alarms treat missing data".
#include "sim/monitoring/evaluation.h"

#include <gtest/gtest.h>

namespace sim::monitoring {
namespace {

constexpr MissingData kAll[] = {MissingData::kMissing, MissingData::kIgnore,
                                MissingData::kBreaching, MissingData::kNotBreaching};

// Datapoints, oldest first: '0' does not breach, 'X' breaches, '-' is missing.
std::vector<std::optional<EvaluatedPoint>> range_of(std::string_view text) {
  std::vector<std::optional<EvaluatedPoint>> range;
  Time at{std::chrono::hours(400'000)};
  for (const char c : text) {
    range.emplace_back();
    if (c != '-') range.back() = EvaluatedPoint{at, c == 'X' ? 9.0 : 1.0, 1};
    at += std::chrono::minutes(1);
  }
  return range;
}

AlarmRule out_of(int to_alarm, int periods, MissingData missing = MissingData::kMissing) {
  return {.periods = periods, .to_alarm = to_alarm, .threshold = 5, .missing = missing};
}

// The states for the treatments missing, ignore, breaching and notBreaching.
std::string states(int to_alarm, int periods, std::string_view range) {
  std::string all;
  for (const MissingData missing : kAll) {
    const auto state = evaluate(out_of(to_alarm, periods, missing), range_of(range)).state;
    all += (all.empty() ? "" : " ") + std::string(state ? name(*state) : "keep");
  }
  return all;
}

TEST(AlarmEvaluation, ThreeOfThreeAsInAwssTable) {
  EXPECT_EQ(states(3, 3, "0-X-X"), "OK OK OK OK");
  EXPECT_EQ(states(3, 3, "0----"), "OK OK OK OK");
  EXPECT_EQ(states(3, 3, "-----"), "INSUFFICIENT_DATA keep ALARM OK");
  EXPECT_EQ(states(3, 3, "0XX-X"), "ALARM ALARM ALARM ALARM");
  EXPECT_EQ(states(3, 3, "--X--"), "ALARM keep ALARM OK");
}

TEST(AlarmEvaluation, TwoOfThreeAsInAwssTable) {
  EXPECT_EQ(states(2, 3, "0-X-X"), "ALARM ALARM ALARM ALARM");
  EXPECT_EQ(states(2, 3, "00X0X"), "ALARM ALARM ALARM ALARM");
  EXPECT_EQ(states(2, 3, "0-X--"), "OK OK ALARM OK");
  EXPECT_EQ(states(2, 3, "----0"), "OK OK ALARM OK");
  EXPECT_EQ(states(2, 3, "---X-"), "ALARM keep ALARM OK");
}

TEST(AlarmEvaluation, ANewBreachingDatapointIsNoPrematureAlarm) {
  EXPECT_EQ(states(3, 3, "----X"), "keep keep ALARM OK");
  EXPECT_EQ(states(1, 1, "--X"), "ALARM ALARM ALARM ALARM");
}

TEST(AlarmEvaluation, EveryComparisonHasItsOwnBound) {
  const auto at_bound = [](Comparison comparison) {
    return breaches({.threshold = 5, .comparison = comparison}, 5);
  };
  EXPECT_TRUE(at_bound(Comparison::kGreaterOrEqual));
  EXPECT_TRUE(at_bound(Comparison::kLessOrEqual));
  EXPECT_FALSE(at_bound(Comparison::kGreater));
  EXPECT_FALSE(at_bound(Comparison::kLess));
}

TEST(AlarmEvaluation, ReasonsAreAwss) {
  const auto text = [](AlarmRule rule, std::string_view range, bool states_to_alarm = true) {
    return reason(rule, evaluate(rule, range_of(range)), states_to_alarm);
  };
  EXPECT_EQ(text(out_of(3, 3), "00XX0", false),
            "Threshold Crossed: 3 datapoints [1 (19/08/15 16:04:00), 9 (19/08/15 16:03:00), 9 "
            "(19/08/15 16:02:00)] were not greater than the threshold (5.0).");
  EXPECT_EQ(text(out_of(1, 1), "00X", false),
            "Threshold Crossed: 1 datapoint [9 (19/08/15 16:02:00)] was greater than the threshold "
            "(5.0).");
  EXPECT_EQ(text(out_of(1, 1), "00X"),
            "Threshold Crossed: 1 out of the last 1 datapoints [9 (19/08/15 16:02:00)] was greater "
            "than the threshold (5.0) (minimum 1 datapoint for OK -> ALARM transition).");
  EXPECT_EQ(text(out_of(2, 3), "00000"),
            "Threshold Crossed: 3 out of the last 3 datapoints [1 (19/08/15 16:04:00), 1 (19/08/15 "
            "16:03:00), 1 (19/08/15 16:02:00)] were not greater than the threshold (5.0) (minimum "
            "2 datapoints for ALARM -> OK transition).");
  EXPECT_EQ(text(out_of(1, 1, MissingData::kBreaching), "---"),
            "Threshold Crossed: no datapoints were received for 1 period and 1 missing datapoint "
            "was treated as [Breaching].");
  EXPECT_EQ(text(out_of(1, 2), "----"), "Insufficient Data: 2 datapoints were unknown.");
}

}  // namespace
}  // namespace sim::monitoring
