#include "sim/sweep/statistics.h"

#include <gtest/gtest.h>

#include <cmath>

namespace sim::sweep {
namespace {

TEST(Distribution, OfASmallSampleAgreesWithATextbook) {
  const Grid five{.cases = {{"seed"}, {{"1"}, {"2"}, {"3"}, {"4"}, {"5"}}}};
  const Dependence independent(five, {});
  const std::vector<Observation> values{{0, 5}, {1, 1}, {2, 3}, {3, 2}, {4, 4}};
  const Distribution d = distribution_of(values, independent);
  EXPECT_DOUBLE_EQ(d.mean, 3);
  EXPECT_DOUBLE_EQ(d.sd, std::sqrt(2.5));
  EXPECT_DOUBLE_EQ(d.p50, 3);
  EXPECT_DOUBLE_EQ(d.p5, 1.2);
  EXPECT_DOUBLE_EQ(d.p95, 4.8);
  EXPECT_NEAR(d.half_width_95.value(), 2.776445 * std::sqrt(2.5) / std::sqrt(5.0),
              1e-6);  // t(4), 0.975
  EXPECT_EQ(distribution_of({}, independent).n, 0);
  EXPECT_FALSE(distribution_of(std::span(values).first(1), independent).half_width_95);
}

TEST(Summary, PairsWindowsAndMarksThePareto) {
  const Grid grid{.settings = {{"setting"}, {{"one"}}},
                  .cases = {{"window"}, {{"0"}, {"1"}}},
                  .variants = {{"policy"}, {{"a"}, {"b"}, {"c"}, {"optimum"}}},
                  .measures = common_measures(),
                  .runs_a_block = 4,
                  .bound = 3};
  Rows rows(grid.measures.size());
  const std::int64_t dollar = 1'000'000'000, hour = 3'600'000'000'000;
  const std::int64_t costs[2][4] = {{20, 12, 14, 10}, {20, 16, 18, 10}}, hours[] = {10, 15, 16};
  for (std::int64_t w = 0; w < 2; ++w) {
    for (std::int64_t p = 0; p < 4; ++p) {
      const auto row = rows.add(w * 4 + p);
      row[kFinished] = 1;
      row[kDeadlineMet] = w == 0 || p != 2;
      row[kCost] = costs[w][p] * dollar;
      row[kBaseline] = 20 * dollar;
      if (p < 3) row[kMakespan] = hours[p] * hour;
    }
  }
  const auto s = summarize(grid, rows);
  ASSERT_EQ(s.size(), 4u);
  EXPECT_DOUBLE_EQ(s[1].measures[kCost].mean, 14);
  EXPECT_DOUBLE_EQ(s[1].savings.value(), 0.3);
  EXPECT_DOUBLE_EQ(s[1].dearer.mean, -6);
  EXPECT_DOUBLE_EQ(s[1].slower.mean, 5);
  EXPECT_DOUBLE_EQ(s[1].gap.mean, 0.2);               // (14 − 10) ÷ 20
  EXPECT_FALSE(s[1].gap_closed || s[1].utilisation);  // the grid names none
  EXPECT_DOUBLE_EQ(s[2].late_share.value(), 0.5);
  EXPECT_TRUE(s[0].pareto && s[1].pareto);
  EXPECT_FALSE(s[2].pareto || s[3].pareto);  // dearer and slower than b; no schedule
}

// b is best in two markets and worst in the third, which the mean over all markets hides.
TEST(Summary, IsOfOneMarketAndOfAllOnlyBesideThem) {
  const Grid grid{.settings = {{"setting"}, {{"one"}}},
                  .cases = {{"market", "number"}, {{"x", "0"}, {"y", "0"}, {"x", "1"}, {"z", "0"}}},
                  .variants = {{"policy"}, {{"a"}, {"b"}}},
                  .groups = {{"x", {0, 2}}, {"y", {1}}, {"z", {3}}},
                  .measures = common_measures(),
                  .runs_a_block = 2};
  Rows rows(grid.measures.size());
  const std::int64_t dollar = 1'000'000'000;
  const std::int64_t costs[4][2] = {{20, 10}, {30, 12}, {22, 14}, {8, 40}};
  for (std::int64_t c = 0; c < 4; ++c)
    for (std::int64_t p = 0; p < 2; ++p) {
      const auto row = rows.add(c * 2 + p);
      row[kFinished] = row[kDeadlineMet] = 1;
      row[kCost] = costs[c][p] * dollar;
      row[kMakespan] = dollar;
    }
  const auto s = summarize(grid, rows);
  ASSERT_EQ(s.size(), 8u);
  const double means[4][2] = {{21, 12}, {30, 12}, {8, 40}, {20, 19}};
  for (std::size_t i = 0; i < s.size(); ++i) {
    EXPECT_EQ(s[i].group, i < 6 ? std::optional(i / 2) : std::nullopt) << i;
    EXPECT_EQ(s[i].variant, static_cast<std::int64_t>(i % 2)) << i;
    EXPECT_DOUBLE_EQ(s[i].measures[kCost].mean, means[i / 2][i % 2]) << i;
  }
  EXPECT_DOUBLE_EQ(s[1].dearer.mean, -9);
  EXPECT_DOUBLE_EQ(s[5].dearer.mean, 32);
  EXPECT_EQ(s[7].measures[kCost].n, 4);
  for (const std::size_t best : {1u, 3u, 4u, 7u}) EXPECT_TRUE(s[best].pareto) << best;
}

// Four runs of each variant. Variant a is expensive and in time. Variant b is late once. Variant c
// never finishes and is the cheapest so far. Variant d is cheaper than b and late once more.
Grid grid_with_late_runs() {
  return {.settings = {{"setting"}, {{"one"}}},
          .cases = {{"window"}, {{"0"}, {"1"}, {"2"}, {"3"}}},
          .variants = {{"policy"}, {{"a"}, {"b"}, {"c"}, {"d"}, {"optimum"}}},
          .measures = common_measures(),
          .runs_a_block = 5,
          .bound = 4};
}
Rows rows_with_late_runs(const Grid& grid) {
  const std::int64_t dollar = 1'000'000'000, late[] = {0, 1, 4, 2, 0}, costs[] = {9, 5, 1, 4, 3};
  Rows rows(grid.measures.size());
  for (std::int64_t w = 0; w < 4; ++w)
    for (std::int64_t p = 0; p < 5; ++p) {
      const auto row = rows.add(w * 5 + p);
      row[kFinished] = p != 2;
      row[kDeadlineMet] = w >= late[p];
      row[kCost] = (costs[p] + w) * dollar;
      row[kMakespan] = dollar;
    }
  return rows;
}

std::vector<std::int64_t> ranks(const std::vector<Summary>& summaries) {
  std::vector<std::int64_t> all;
  for (const Summary& s : summaries) all.push_back(s.rank.value_or(0));
  return all;
}

TEST(Summary, RanksByLateRunsFirstAndThenByTheCostOfAllRuns) {
  Grid grid = grid_with_late_runs();
  const auto s = summarize(grid, rows_with_late_runs(grid));
  const double late[] = {0, 0.25, 1, 0.5, 0}, cost[] = {10.5, 6.5, 2.5, 5.5, 4.5};
  for (std::size_t i = 0; i < s.size(); ++i) {
    EXPECT_DOUBLE_EQ(s[i].late_share.value(), late[i]) << i;
    EXPECT_DOUBLE_EQ(s[i].measures[kCost].mean, cost[i]) << i;  // cost so far, if it did not finish
    EXPECT_EQ(s[i].measures[kCost].n, 4) << i;
    EXPECT_EQ(s[i].finished, i == 2 ? 0 : 4) << i;
    EXPECT_EQ(s[i].measures[kMakespan].n, i == 2 ? 0 : 4) << i;
  }
  EXPECT_EQ(ranks(s), (std::vector<std::int64_t>{1, 2, 4, 3, 0}));
  EXPECT_DOUBLE_EQ(s[2].dearer.mean, -8);
  EXPECT_FALSE(s[2].pareto);
}

TEST(Summary, WhatMayBeLateLosesNoRank) {
  Grid grid = grid_with_late_runs();
  const Rows rows = rows_with_late_runs(grid);
  for (const auto& [allowed, expected] : {std::pair{0.2, std::vector<std::int64_t>{1, 2, 4, 3, 0}},
                                          {0.25, {2, 1, 4, 3, 0}},
                                          {0.5, {3, 2, 4, 1, 0}},
                                          {1.0, {4, 3, 1, 2, 0}}}) {
    grid.late_allowed = allowed;
    EXPECT_EQ(ranks(summarize(grid, rows)), expected) << allowed;
  }
}

// b's own baseline does not count. Otherwise rare checkpoints would show smaller savings at a lower
// cost.
TEST(Summary, SavingsOfASettingReferToOneBaseline) {
  const Grid grid{.settings = {{"setting"}, {{"one"}}},
                  .cases = {{"seed"}, {{"1"}, {"2"}}},
                  .variants = {{"policy"}, {{"a"}, {"b"}}},
                  .measures = common_measures()};
  const std::int64_t dollar = 1'000'000'000;
  const std::int64_t costs[2][2] = {{12, 11}, {12, 11}}, baselines[2][2] = {{20, 10}, {0, 30}};
  Rows rows(grid.measures.size());
  for (std::int64_t c = 0; c < 2; ++c)
    for (std::int64_t p = 0; p < 2; ++p) {
      const auto row = rows.add(c * 2 + p);
      row[kFinished] = 1;
      row[kCost] = costs[c][p] * dollar;
      if (baselines[c][p] > 0) row[kBaseline] = baselines[c][p] * dollar;
    }
  const auto s = summarize(grid, rows);
  EXPECT_DOUBLE_EQ(s[0].savings.value(), 1 - 24.0 / 50);
  EXPECT_DOUBLE_EQ(s[1].savings.value(), 1 - 22.0 / 50);
}

// Only cases count in which both the variant and the reference met their deadlines.
TEST(Summary, StatesTheClosedGapAndTheUsedHoursOfTheBound) {
  Grid grid{.settings = {{"setting"}, {{"one"}}},
            .cases = {{"window"}, {{"0"}, {"1"}, {"2"}}},
            .variants = {{"policy"}, {{"greedy"}, {"b"}, {"optimum"}}},
            .measures = common_measures(),
            .runs_a_block = 3,
            .bound = 2,
            .reference = 0,
            .utilisation = kMakespan};
  const std::int64_t dollar = 1'000'000'000, hour = 3'600'000'000'000;
  const std::int64_t costs[3][3] = {{20, 14, 10}, {18, 16, 8}, {12, 1, 1}};
  const std::int64_t hours[3][3] = {{4, 6, 10}, {3, 5, 8}, {9, 9, 9}};
  Rows rows(grid.measures.size());
  for (std::int64_t w = 0; w < 3; ++w)
    for (std::int64_t p = 0; p < 3; ++p) {
      const auto row = rows.add(w * 3 + p);
      row[kFinished] = 1;
      row[kDeadlineMet] = w < 2 || p != 1;
      row[kCost] = costs[w][p] * dollar;
      row[kMakespan] = hours[w][p] * hour;
    }
  const auto s = summarize(grid, rows);
  EXPECT_DOUBLE_EQ(s[1].gap_closed.value(), (6 + 2) / (10 + 10.0));
  EXPECT_DOUBLE_EQ(s[1].utilisation.value(), (6 + 5) / (10 + 8.0));
  EXPECT_DOUBLE_EQ(s[0].gap_closed.value(), 0);
  EXPECT_DOUBLE_EQ(s[2].gap_closed.value(), 1);
  EXPECT_DOUBLE_EQ(s[0].utilisation.value(), (4 + 3 + 9) / (10 + 8 + 9.0));
}

TEST(Summary, StatesTheDistanceOfTheMeanFromItsFormula) {
  Grid grid{.settings = {{"setting"}, {{"one"}}},
            .cases = {{"seed"}, {{"1"}, {"2"}, {"3"}, {"4"}}},
            .variants = {{"interval"}, {{"a"}}},
            .measures = common_measures()};
  grid.measures.push_back({"expected_makespan", Unit::kHours, Measure::Summary::kMean});
  grid.expected_makespan = kMakespan + 1;
  Rows rows(grid.measures.size());
  const std::int64_t hour = 3'600'000'000'000;
  for (std::int64_t run = 0; run < 4; ++run) {
    const auto row = rows.add(run);
    row[kFinished] = 1;
    row[kMakespan] = (run % 2 ? 12 : 8) * hour;
    row[kMakespan + 1] = 9 * hour;
  }
  const Summary s = summarize(grid, rows).front();
  EXPECT_NEAR(s.deviation.value(), (10 - 9) / std::sqrt(16.0 / 3 / 4), 1e-9);
  EXPECT_FALSE(s.savings || s.late_share);
}

}  // namespace
}  // namespace sim::sweep
