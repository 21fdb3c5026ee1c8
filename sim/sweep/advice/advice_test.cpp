#include "sim/sweep/advice/advice.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "sim/sweep/advice/advice_search.h"

namespace sim::sweep {
namespace {

market::Usd per_hour(double usd) { return {static_cast<std::int64_t>(usd * 1e9)}; }

// A zone with capacity for `up` and then none for `down`, repeatedly for thirty days.
ticks::PoolTrace regular_zone(const std::string& name, Duration up, Duration down, double price) {
  traces::CapacitySeries series;
  series.end = Time{} + std::chrono::hours(24 * 30);
  for (Time t{}; t < series.end; t += up + down) {
    series.steps.push_back({t, 1});
    if (down > Duration::zero()) series.steps.push_back({t + up, 0});
    if (down == Duration::zero()) break;
  }
  return {.name = name,
          .series = std::move(series),
          .on_demand = per_hour(3),
          .spot_price = per_hour(price)};
}

Question question_of(std::vector<ticks::PoolTrace> zones) {
  return {.name = "test",
          .instance_type = "p3.2xlarge",
          .job = {.work = 10h,
                  .deadline = 20h,
                  .changeover = 5min,
                  .tick = 10min,
                  .on_demand = per_hour(3),
                  .spot = per_hour(1),
                  .checkpoint_cost = 30s,
                  .billing = market::Billing::kPerSecond},
          .zones = std::move(zones),
          .moves = {},
          .interruptions = {},
          .windows = 30};
}

TEST(Advice, RentsWhereSpotStaysAndIsCheapest) {
  const auto advice = advise(question_of({regular_zone("us-east-1a", 2h, 1h, 1.2),
                                          regular_zone("us-east-1b", 24h * 30, 0s, 1.1),
                                          regular_zone("us-east-1c", 24h * 30, 0s, 1)}),
                             1);
  ASSERT_EQ(advice.best.zones, std::vector<std::size_t>{2});
  // Ten hours, a restart, and the checkpoints.
  EXPECT_NEAR(advice.best.cost.mean, 10 + 5.0 / 60, 0.2);
  EXPECT_EQ(advice.best.late, 0);
  EXPECT_NEAR(advice.on_demand.cost.mean, 3 * (10 + 5.0 / 60), 1e-6);
}

TEST(Advice, RentsOnDemandWhereSpotCostsMore) {
  const auto advice = advise(question_of({regular_zone("us-east-1a", 2h, 1h, 3.2)}), 1);
  EXPECT_EQ(advice.best.strategy, "on-demand");
  EXPECT_TRUE(advice.what_ifs.empty());
}

TEST(Advice, SavesAboutAsOftenAsTheClosedForm) {
  Question question = question_of({regular_zone("us-east-1a", 24h * 30, 0s, 1)});
  question.interruptions = ticks::Interruptions{.every = 2h, .away = 10min};
  question.job.notice = Duration::zero();
  question.windows = 300;
  const auto advice = advise(question, 2);
  EXPECT_NEAR(seconds(advice.mean_life) / 3600, 2.0, 0.2);
  // √(2dM) is 10 min 57 s; the cost is flat around it.
  EXPECT_NEAR(seconds(advice.interval) / 60, 10.8, 1);
  const std::string& policy = advice.best.saves.policy;
  ASSERT_EQ(policy.rfind("time:", 0), 0u) << policy;
  const double minutes = seconds(*parse_duration(policy.substr(5))) / 60;
  EXPECT_GT(minutes, 5) << policy;
  EXPECT_LT(minutes, 25) << policy;
}

TEST(Advice, IsTheSameOnAnyNumberOfThreads) {
  Question question =
      question_of({regular_zone("us-east-1a", 5h, 1h, 1), regular_zone("us-east-1b", 3h, 2h, 0.8)});
  question.interruptions = ticks::Interruptions{.every = 4h, .away = 20min};
  const auto one = advise(question, 1), three = advise(question, 3);
  EXPECT_EQ(one.best.strategy, three.best.strategy);
  EXPECT_EQ(one.best.cost.mean, three.best.cost.mean);
  EXPECT_EQ(one.best.cost.half_width_95, three.best.cost.half_width_95);
  ASSERT_EQ(one.what_ifs.size(), three.what_ifs.size());
  for (std::size_t i = 0; i < one.what_ifs.size(); ++i)
    EXPECT_EQ(one.what_ifs[i].same.cost.mean, three.what_ifs[i].same.cost.mean);
}

// Three zones that differ only by chance: which one is the cheapest depends on the seed.
TEST(Advice, TheSeedDoesNotChooseBetweenEqualWays) {
  Question question = question_of({regular_zone("us-east-1a", 24h * 30, 0s, 1),
                                   regular_zone("us-east-1b", 24h * 30, 0s, 1),
                                   regular_zone("us-east-1c", 24h * 30, 0s, 1)});
  question.interruptions = ticks::Interruptions{.every = 4h, .away = 20min};
  question.windows = 60;
  std::set<std::string> advised, cheapest;
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    question.seed = question.interruptions->seed = seed;
    const auto advice = advise(question, 2);
    const auto told = [](const Alternative& way) {
      return fmt::format("{} {} {}", way.strategy, fmt::join(way.zones, ","), way.saves.policy);
    };
    advised.insert(told(advice.best));
    cheapest.insert(told(advice.cheapest ? advice.cheapest->way : advice.best));
  }
  EXPECT_EQ(advised.size(), 1u) << fmt::format("{}", fmt::join(advised, "\n"));
  EXPECT_GT(cheapest.size(), 1u);
}

TEST(Advice, AFilesNameDecidesNothing) {
  Question question =
      question_of({regular_zone("us-east-1a", 5h, 1h, 1), regular_zone("us-east-1b", 3h, 2h, 0.8)});
  question.interruptions = ticks::Interruptions{.every = 4h, .away = 20min};
  const auto one = advise(question, 2);
  question.name = "renamed";
  EXPECT_EQ(advise(question, 2).best.cost.mean, one.best.cost.mean);
}

TEST(Advice, ListsOtherWaysThatAreAsGood) {
  Question question = question_of({regular_zone("us-east-1a", 24h * 30, 0s, 1),
                                   regular_zone("us-east-1b", 24h * 30, 0s, 1.004),
                                   regular_zone("us-east-1c", 24h * 30, 0s, 1.5)});
  question.as_traced = true;
  const auto advice = advise(question, 1);
  ASSERT_EQ(advice.best.zones, std::vector<std::size_t>{0});
  const auto in = [&](std::size_t zone) {
    return std::ranges::find_if(advice.others, [&](const Other& other) {
      return other.way.zones == std::vector<std::size_t>{zone};
    });
  };
  ASSERT_NE(in(1), advice.others.end());
  EXPECT_TRUE(in(1)->equal);
  EXPECT_NEAR(in(1)->dearer.mean, 0.004 * 10, 0.005);
  ASSERT_NE(in(2), advice.others.end());
  EXPECT_FALSE(in(2)->equal);
}

TEST(Advice, OthersAreOfAnotherKindAndNeverTheSameRuns) {
  Question question =
      question_of({regular_zone("us-east-1a", 5h, 1h, 1), regular_zone("us-east-1b", 3h, 2h, 0.8)});
  const auto advice = advise(question, 2);
  ASSERT_FALSE(advice.others.empty());
  const auto policy = [](const Alternative& way) {
    return way.strategy.substr(0, way.strategy.find('+'));
  };
  std::set<std::string> kinds;
  for (const Other& other : advice.others) {
    const bool same = policy(other.way) == policy(advice.best);
    const std::string zones = other.way.zones.size() > 1 ? "several" : "one";
    EXPECT_TRUE(kinds.insert(policy(other.way) + (same ? zones : "")).second) << other.way.strategy;
    if (same) {
      EXPECT_NE(other.way.zones, advice.best.zones);
    }
    EXPECT_NEAR(other.dearer.mean, other.way.cost.mean - advice.best.cost.mean, 1e-9);
  }
}

// A job with free moves can also stay, so all ways with expensive moves were possible before.
TEST(Advice, DearMovesDoNotMakeAJobCheaper) {
  for (const Duration checkpoint : {Duration(30s), Duration(90s)})
    for (const Duration up : {3h, 8h}) {
      Question question = question_of({regular_zone("us-east-1a", up, 40min, 1),
                                       regular_zone("us-east-1b", up, 1h, 1.1),
                                       regular_zone("us-east-1c", up, 2h, 0.9)});
      question.interruptions = ticks::Interruptions{.every = 12h, .away = 20min};
      question.job.checkpoint_cost = checkpoint;
      const auto free = advise(question, 2);
      question.moves.between_zones = {.egress = per_hour(1), .time = 20min};
      question.moves.between_regions = question.moves.between_zones;
      const auto dear = advise(question, 2);
      const Alternative& cheapest = free.cheapest ? free.cheapest->way : free.best;
      EXPECT_LE(cheapest.late, dear.best.late);
      EXPECT_LE(cheapest.cost.mean, dear.best.cost.mean);
    }
}

// The expensive checkpoint does not fit into a notice, and there is one best interval.
TEST(Advice, ReportsTheClosedFormAndItsCostForExpensiveSaves) {
  Question question = question_of({regular_zone("us-east-1a", 24h * 30, 0s, 1)});
  question.interruptions = ticks::Interruptions{.every = 5h, .away = 10min};
  question.job.checkpoint_cost = 12min;
  question.windows = 100;
  const auto advice = advise(question, 2);
  ASSERT_NE(advice.best.strategy, "on-demand");
  const std::string by_form = "time:" + format_duration((advice.interval + 30s) / 1min * 1min);
  if (advice.best.saves.policy == by_form) {
    EXPECT_FALSE(advice.closed_form);
  } else {
    ASSERT_TRUE(advice.closed_form);
    EXPECT_EQ(advice.closed_form->way.saves.policy, by_form);
    EXPECT_EQ(advice.closed_form->way.zones, advice.best.zones);
  }
}

TEST(Advice, ABetterWayToSaveInAnotherWorldIsBetterThere) {
  int hints = 0;
  for (const Duration every : {1h, 3h, 10h})
    for (const Duration checkpoint : {Duration(30s), Duration(5min)}) {
      Question question = question_of(
          {regular_zone("us-east-1a", 9h, 1h, 1), regular_zone("us-east-1b", 7h, 2h, 1)});
      question.interruptions = ticks::Interruptions{.every = every, .away = 20min};
      question.job.checkpoint_cost = checkpoint;
      question.job.deadline = 13h;
      for (const WhatIf& what_if : advise(question, 2).what_ifs) {
        if (!what_if.best) continue;
        ++hints;
        EXPECT_LE(what_if.best->late, what_if.same.late) << what_if.what;
        if (what_if.best->late == what_if.same.late) {
          EXPECT_LT(what_if.best->cost.mean, what_if.same.cost.mean * 0.995) << what_if.what;
        }
      }
    }
  EXPECT_GT(hints, 0);
}

// Notices save almost all work, and checkpoints are slow.
TEST(Advice, TheSearchGoesOnBeyondTheBestInterval) {
  Question question = question_of({regular_zone("us-east-1a", 24h * 30, 0s, 1)});
  question.interruptions = ticks::Interruptions{.every = 1h, .away = 10min};
  question.job.work = 20h;
  question.job.deadline = 40h;
  question.job.step = 1s;
  question.job.checkpoint_cost = 110s;
  AdviceTrials trials(question, 2);
  const auto ways = try_ways(trials);
  const TriedAlternative& best = ways[trials.preference().choose(ways).best];
  EXPECT_GE(best.times, 4) << best.saves.policy;
  EXPECT_TRUE(std::ranges::any_of(ways, [&](const TriedAlternative& way) {
    return way.strategy == best.strategy && way.zones == best.zones && way.times > best.times;
  })) << best.saves.policy;
}

TEST(Advice, NothingThatInterruptsNeedsNoInterval) {
  Question question = question_of({regular_zone("us-east-1a", 24h * 30, 0s, 1)});
  question.as_traced = true;
  const auto advice = advise(question, 1);
  EXPECT_TRUE(advice.nothing_interrupts());
  EXPECT_EQ(advice.best.saves.policy, "on-notice");
  question.job.notice = Duration::zero();
  EXPECT_EQ(advise(question, 1).best.saves.policy, "none");
}

TEST(Advice, MIsOfTheTraceAndNotOfItsWindows) {
  Question question = question_of({regular_zone("us-east-1a", 5h, 1h, 1)});
  const auto advice = advise(question, 1);
  // Thirty days of rounds of six hours.
  EXPECT_EQ(advice.life.interruptions, 120);
  EXPECT_EQ(advice.mean_life, 5h);
  question.seed = 9;
  EXPECT_EQ(advise(question, 1).mean_life, 5h);
  question.interruptions = ticks::Interruptions{.every = 5h, .away = 20min};
  EXPECT_EQ(advise(question, 1).mean_life, 2h + 30min);
}

// Ten hours and a restart, not the next full tick.
TEST(Advice, DoneIsWhenTheWorkIsDone) {
  Question question = question_of({regular_zone("us-east-1a", 24h * 30, 0s, 1)});
  question.as_traced = true;
  const auto advice = advise(question, 1);
  EXPECT_NEAR(advice.on_demand.hours.mean, 10 + 5.0 / 60, 1e-9);
  EXPECT_NEAR(advice.best.hours.mean, 10 + 5.0 / 60, 1e-9);
  EXPECT_NEAR(advice.best.hours.p95, 10 + 5.0 / 60, 1e-9);
}

TEST(Advice, NothingThatItComparedIsBetterThanWhatItAdvises) {
  Question question =
      question_of({regular_zone("us-east-1a", 5h, 1h, 1), regular_zone("us-east-1b", 3h, 2h, 0.8),
                   regular_zone("us-west-2a", 1h, 7h, 0.4)});
  const auto advice = advise(question, 2);
  for (const Other& other : advice.others) {
    EXPECT_LE(advice.best.late, other.way.late);
    if (advice.best.late == other.way.late && !other.equal) {
      EXPECT_LE(advice.best.cost.mean, other.way.cost.mean);
    }
  }
  ASSERT_TRUE(advice.optimum && advice.best_beside_optimum);
  EXPECT_LE(*advice.optimum, *advice.best_beside_optimum);
}

TEST(Interruptions, HaveTheirMeanTime) {
  std::vector<ticks::Window> windows;
  for (int i = 0; i < 50; ++i)
    windows.push_back(
        ticks::window_of_one("m", i, {std::vector<std::uint8_t>(60 * 24 * 7, 1), {}}));
  ticks::TickJob job = question_of({}).job;
  job.tick = 1min;
  EXPECT_FALSE(ticks::spot_life(windows, job).mean());
  ticks::interrupt(windows, 1min, {.every = 6h, .away = 20min});
  const ticks::SpotLife life = ticks::spot_life(windows, job);
  // 50 weeks, 6 h 20 min a round: about 1326 interruptions, ±3 standard deviations.
  EXPECT_NEAR(static_cast<double>(life.interruptions), 1326, 110);
  EXPECT_NEAR(seconds(*life.mean()) / 3600, 6, 0.5);
}

TEST(Advice, StaysWhereItsDataIsWhenMovesAreDear) {
  Question question = question_of(
      {regular_zone("us-east-1a", 3h, 30min, 1), regular_zone("us-east-1b", 3h, 40min, 1)});
  question.moves.between_zones = {.egress = per_hour(100), .time = 3h};
  question.moves.between_regions = question.moves.between_zones;
  EXPECT_EQ(advise(question, 2).best.zones.size(), 1u);
}

}  // namespace
}  // namespace sim::sweep
