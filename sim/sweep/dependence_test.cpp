#include "sim/sweep/dependence.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "sim/kernel/random.h"

namespace sim::sweep {
namespace {

constexpr double kT7 = 2.364624;  // Student's t(7), 0.975

// A market with windows of this length, in hours, that start at these hours.
Grid market_with(const std::vector<std::int64_t>& starts, std::int64_t length) {
  Grid grid{.cases = {{"market", "number"}, {}}, .groups = {{"one", {}}}};
  for (const std::int64_t start : starts) {
    grid.groups[0].cases.push_back(grid.cases.points.size());
    grid.cases.points.push_back({"one", std::to_string(start)});
    grid.places.push_back({ticks::WindowOrigin::Kind::kInTrace, std::chrono::hours(start),
                           std::chrono::hours(length)});
  }
  return grid;
}

std::vector<std::int64_t> every_start(std::int64_t hours, std::int64_t length) {
  std::vector<std::int64_t> starts(static_cast<std::size_t>(hours - length + 1));
  std::iota(starts.begin(), starts.end(), 0);
  return starts;
}

std::vector<std::int64_t> drawn_starts(std::int64_t hours, std::int64_t length, std::size_t count) {
  Stream stream(7);
  std::vector<std::int64_t> starts;
  for (std::size_t i = 0; i < count; ++i)
    starts.push_back(
        static_cast<std::int64_t>(stream.below(static_cast<std::uint64_t>(hours - length + 1))));
  return starts;
}

// The windows' means over a series of hours, which are independent and exponential with mean 1.
std::vector<Observation> observe(Stream& stream, const std::vector<std::int64_t>& starts,
                                 std::int64_t hours, std::int64_t length) {
  std::vector<double> sums{0};
  for (std::int64_t t = 0; t < hours; ++t)
    sums.push_back(sums.back() - std::log1p(-stream.uniform()));
  std::vector<Observation> all;
  for (const std::int64_t start : starts) {
    const auto from = static_cast<std::size_t>(start),
               to = static_cast<std::size_t>(start + length);
    all.push_back({all.size(), (sums[to] - sums[from]) / static_cast<double>(length)});
  }
  return all;
}

// The variance of the mean of such windows if an hour's variance is 1: Σ (an hour's weight in it)².
double variance_of_the_mean(const std::vector<std::int64_t>& starts, std::int64_t hours,
                            std::int64_t length) {
  double sum = 0;
  for (std::int64_t t = 0; t < hours; ++t) {
    const auto covering = std::count_if(starts.begin(), starts.end(), [&](std::int64_t start) {
      return start <= t && t < start + length;
    });
    sum += static_cast<double>(covering * covering);
  }
  const auto n = static_cast<double>(starts.size() * static_cast<std::size_t>(length));
  return sum / n / n;
}

double mean_of(const std::vector<Observation>& values) {
  double sum = 0;
  for (const Observation& o : values) sum += o.value;
  return sum / static_cast<double>(values.size());
}

struct Coverage {
  // Share of intervals with the true value; mean of (half width ÷ t)².
  double share = 0, variance = 0;
};
Coverage coverage_of(const Dependence& dependence, const std::vector<std::int64_t>& starts,
                     std::int64_t hours, std::int64_t length, double t) {
  constexpr int kSeries = 600;
  Stream stream(11);
  Coverage all;
  for (int i = 0; i < kSeries; ++i) {
    const auto values = observe(stream, starts, hours, length);
    const double half = dependence.half_width_95(values).value();
    all.share += std::abs(mean_of(values) - 1) <= half ? 1.0 / kSeries : 0;
    all.variance += half * half / t / t / kSeries;
  }
  return all;
}

TEST(Dependence, IntervalsOfOverlappingWindowsHaveTheirStatedCoverage) {
  for (const auto& starts : {every_start(420, 20), drawn_starts(420, 20, 300)}) {
    const Dependence blocks(market_with(starts, 20), 0);
    EXPECT_EQ(blocks.kind(), IntervalKind::kBlocks);
    EXPECT_GE(blocks.clusters(), 18);
    EXPECT_LE(blocks.clusters(), 20);
    const Coverage found = coverage_of(blocks, starts, 420, 20, 2.0977);  // about t(18)
    EXPECT_NEAR(found.share, 0.95, 0.03);
    EXPECT_NEAR(found.variance / variance_of_the_mean(starts, 420, 20), 1, 0.1);

    Grid apart = market_with(starts, 20);
    apart.places.clear();
    EXPECT_LT(coverage_of(Dependence(apart, 0), starts, 420, 20, 1.967).share, 0.6);
  }
}

TEST(Dependence, FewBlocksMakeWideIntervalsThatHoldTheTruthToo) {
  const auto starts = drawn_starts(140, 20, 150);
  const Dependence blocks(market_with(starts, 20), 0);
  EXPECT_EQ(blocks.clusters(), 5);
  const Coverage found = coverage_of(blocks, starts, 140, 20, 2.776445);  // t(4)
  EXPECT_NEAR(found.share, 0.95, 0.04);
  EXPECT_NEAR(found.variance / variance_of_the_mean(starts, 140, 20), 1, 0.1);
}

// Adjacent windows share no time. Each is a block, and Student's t applies.
TEST(Dependence, OfWindowsThatDoNotOverlapItIsStudents) {
  std::vector<std::int64_t> starts;
  for (std::int64_t i = 0; i < 9; ++i) starts.push_back(20 * i);
  const Dependence blocks(market_with(starts, 20), 0);
  EXPECT_EQ(blocks.clusters(), 8);  // as many as windows fit between the first start and the last
  Stream stream(3);
  const auto values = observe(stream, starts, 180, 20);
  const double students =
      Dependence({.cases = market_with(starts, 20).cases}, {}).half_width_95(values).value();
  EXPECT_NEAR(blocks.half_width_95(values).value() / students, 1, 0.3);
}

// Markets of equal size: t · sd of their means ÷ √markets.
TEST(Dependence, MarketsAreResampledAsAWhole) {
  Grid grid{.cases = {{"market", "number"}, {}}};
  std::vector<Observation> values;
  const double means[8] = {3, 9, 4, 7, 1, 8, 2, 6};
  for (std::size_t g = 0; g < 8; ++g) {
    grid.groups.push_back({std::to_string(g), {}});
    for (std::size_t i = 0; i < 50; ++i) {
      grid.groups[g].cases.push_back(values.size());
      grid.cases.points.push_back({std::to_string(g), std::to_string(i)});
      values.push_back({values.size(), means[g] + (i % 2 ? 0.5 : -0.5)});
    }
  }
  const Dependence markets(grid, {});
  EXPECT_EQ(markets.kind(), IntervalKind::kMarkets);
  EXPECT_EQ(markets.clusters(), 8);
  double squares = 0;
  for (const double m : means) squares += (m - 5) * (m - 5);
  const double expected = kT7 * std::sqrt(squares / 7 / 8);
  EXPECT_NEAR(markets.half_width_95(values).value() / expected, 1, 0.05);
  EXPECT_EQ(markets.half_width_95(values), Dependence(grid, {}).half_width_95(values));
  EXPECT_FALSE(markets.half_width_95(std::span(values).first(200)));  // four markets have values
}

TEST(Dependence, ReportsWhyThereIsNoInterval) {
  const auto starts = drawn_starts(95, 20, 150);
  Grid grid = market_with(starts, 20);
  const std::vector<Observation> values{{0, 1}, {1, 2}, {2, 3}};
  const auto expect = [&](IntervalKind kind, std::int64_t clusters, std::optional<std::size_t> g) {
    const Dependence dependence(grid, g);
    EXPECT_STREQ(name_of(dependence.kind()), name_of(kind));
    EXPECT_EQ(dependence.clusters(), clusters);
    EXPECT_FALSE(dependence.half_width_95(values));
  };
  expect(IntervalKind::kTooFewBlocks, 3, 0);
  grid.places.assign(150, {.kind = ticks::WindowOrigin::Kind::kUnknown});
  expect(IntervalKind::kNoStarts, 1, 0);
  grid.groups = {{"a", {0, 1}}, {"b", {2}}};
  expect(IntervalKind::kTooFewMarkets, 2, {});
  grid.places.assign(150, {});
  expect(IntervalKind::kTooFewRuns, 1, 1);
}

}  // namespace
}  // namespace sim::sweep
