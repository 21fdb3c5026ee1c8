#include "sim/sweep/advice.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "sim/scenario/scenario.h"
#include "sim/sweep/advice_file.h"

namespace sim::sweep {
namespace {

market::Usd per_hour(double usd) { return {static_cast<std::int64_t>(usd * 1e9)}; }

// A zone where spot is there `up` and then away `down`, in turn, for thirty days.
PoolTrace regular_zone(const std::string& name, Duration up, Duration down, double price) {
  market::CapacitySeries series;
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

Question question_of(std::vector<PoolTrace> zones) {
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
  const auto advice = advise(question_of({regular_zone("us-east-1a", 2h, 1h, 2.99)}), 1);
  EXPECT_EQ(advice.best.strategy, "on-demand");
  EXPECT_TRUE(advice.what_ifs.empty());
}

TEST(Advice, SavesAboutAsOftenAsTheClosedFormSays) {
  Question question = question_of({regular_zone("us-east-1a", 24h * 30, 0s, 1)});
  question.interruptions = Interruptions{.every = 2h, .away = 10min};
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
  question.interruptions = Interruptions{.every = 4h, .away = 20min};
  const auto one = advise(question, 1), three = advise(question, 3);
  EXPECT_EQ(one.best.strategy, three.best.strategy);
  EXPECT_EQ(one.best.cost.mean, three.best.cost.mean);
  EXPECT_EQ(one.best.cost.half_width_95, three.best.cost.half_width_95);
  ASSERT_EQ(one.what_ifs.size(), three.what_ifs.size());
  for (std::size_t i = 0; i < one.what_ifs.size(); ++i)
    EXPECT_EQ(one.what_ifs[i].same.cost.mean, three.what_ifs[i].same.cost.mean);
}

TEST(Advice, NothingThatItComparedIsBetterThanWhatItAdvises) {
  Question question =
      question_of({regular_zone("us-east-1a", 5h, 1h, 1), regular_zone("us-east-1b", 3h, 2h, 0.8),
                   regular_zone("us-west-2a", 1h, 7h, 0.4)});
  const auto advice = advise(question, 2);
  for (const Way& way : advice.others) {
    EXPECT_LE(advice.best.late, way.late);
    if (advice.best.late == way.late) {
      EXPECT_LE(advice.best.cost.mean, way.cost.mean);
    }
  }
  ASSERT_TRUE(advice.optimum && advice.best_beside_optimum);
  EXPECT_LE(*advice.optimum, *advice.best_beside_optimum);
}

TEST(Interruptions, HaveTheirMeanTime) {
  std::vector<Window> windows;
  for (int i = 0; i < 50; ++i)
    windows.push_back(window_of_one("m", i, {std::vector<std::uint8_t>(60 * 24 * 7, 1), {}}));
  TickJob job = question_of({}).job;
  job.tick = 1min;
  EXPECT_FALSE(spot_life(windows, job).mean());
  interrupt(windows, 1min, {.every = 6h, .away = 20min});
  const SpotLife life = spot_life(windows, job);
  // 50 weeks, 6 h 20 min a round: about 1326 interruptions, ±3 standard deviations.
  EXPECT_NEAR(static_cast<double>(life.interruptions), 1326, 110);
  EXPECT_NEAR(seconds(*life.mean()) / 3600, 6, 0.5);
}

std::string message_about(const std::string& yaml) {
  try {
    run::parse_advice_file(yaml, SPOTSIM_SOURCE_DIR "/scenarios/advice/job.yaml");
    return "";
  } catch (const run::ScenarioError& error) {
    return error.what();
  }
}

const std::string kGoodJob =
    "instance_type: p3.2xlarge\nwork: 20h\ndeadline: 30h\ntrace: ../traces/us-west-2-gpu.json\n";

TEST(AdviceFile, ReadsThePoolsOfItsType) {
  const auto file =
      run::parse_advice_file(kGoodJob, SPOTSIM_SOURCE_DIR "/scenarios/advice/job.yaml");
  EXPECT_EQ(file.question.name, "job");
  EXPECT_FALSE(file.question.zones.empty());
  EXPECT_EQ(file.question.job.changeover, 5min);
  EXPECT_GT(file.question.job.on_demand.nano, 0);
}

TEST(Advice, StaysWhereItsDataIsWhenMovesAreDear) {
  Question question = question_of(
      {regular_zone("us-east-1a", 3h, 30min, 1), regular_zone("us-east-1b", 3h, 40min, 1)});
  question.moves.between_zones = {.egress = per_hour(100), .time = 3h};
  question.moves.between_regions = question.moves.between_zones;
  EXPECT_EQ(advise(question, 2).best.zones.size(), 1u);
}

// A wrong type is told once, and not that the trace has too many pools.
TEST(AdviceFile, AWrongTypeIsOneError) {
  for (const char* type : {"p3.2xlage", "g5.xlarge"}) {
    std::string text = kGoodJob;
    const std::string message = message_about(text.replace(text.find("p3.2xlarge"), 10, type));
    EXPECT_EQ(std::ranges::count(message, '\n'), 0) << message;
    EXPECT_NE(message.find(type), std::string::npos);
  }
}

TEST(AdviceFile, SaysWhereAJobIsWrong) {
  const auto with = [](std::string from, const std::string& to) {
    std::string text = kGoodJob;
    return text.replace(text.find(from), from.size(), to);
  };
  const std::pair<std::string, std::string> cases[] = {
      {with("p3.2xlarge", "p3.2xlage"), ":1:16: instance_type: found \"p3.2xlage\", expected"},
      {with("20h", "20"), ":2:7: work: found \"20\", expected a duration"},
      {with("30h", "20h"), ":3:11: deadline: found 20h for 20h of work"},
      {with("deadline: 30h\n", ""), ":1:1: deadline: found nothing, expected a duration"},
      {with("us-west-2-gpu.json", "none.json"), ":4:8: trace: "},
      {with("p3.2xlarge", "g5.xlarge"),
       ":4:8: trace: found \"../traces/us-west-2-gpu.json\", expected a trace of g5.xlarge"},
      {kGoodJob + "zones: us-east-1x\n",
       ":5:8: zones: found \"us-east-1x\", expected a zone of the trace: "},
      {kGoodJob + "interruptions: often\n",
       ":5:16: interruptions: found \"often\", expected a mean duration"},
      {kGoodJob + "windows: 3\n", ":5:10: windows: found "},
      {kGoodJob + "checkpoints: 30s\n",
       ":5:1: key: found unknown key \"checkpoints\", expected \"checkpoint\""},
      {"- a\n", ":1:1: job: found no keys"}};
  for (const auto& [yaml, expected] : cases)
    EXPECT_NE(message_about(yaml).find(expected), std::string::npos)
        << message_about(yaml) << "\nfor\n"
        << yaml;
}

}  // namespace
}  // namespace sim::sweep
