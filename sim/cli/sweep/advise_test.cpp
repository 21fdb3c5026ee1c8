#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>

#include "orchestrator/acquire/strategy_plan.h"
#include "orchestrator/command_line/read_command_line.h"
#include "sim/cli/command_for_test.h"
#include "sim/cli/commands.h"
#include "sim/report/report.h"
#include "sim/sweep/advice/advice_file.h"
#include "sim/sweep/advice/advice_trials.h"

namespace sim::cli {
namespace {

class AdviseOnTheCommandLine : public OnTheCommandLine {
 protected:
  AdviseOnTheCommandLine() : OnTheCommandLine({add_advise_command}) {}

  int advise(const std::string& yaml) {
    std::ofstream(folder_ / "job.yaml") << yaml;
    return spotsim("advise " + path("job.yaml") + " --details");
  }
};

const std::string kFlatPrices =
    "az,instance_type,timestamp,price_usd_h\n"
    "us-east-1a,p3.2xlarge,2021-03-01T00:00:00Z,0.918\n"
    "us-east-1a,p3.2xlarge,2021-04-01T00:00:00Z,0.918\n";
const std::string kJobOnPrices =
    "instance_type: p3.2xlarge\nwork: 5h\ndeadline: 10h\ntrace: prices.csv\nwindows: 20\n";

TEST_F(AdviseOnTheCommandLine, StatesTheAdviceAndItsAssumptions) {
  std::ofstream(folder_ / "prices.csv") << kFlatPrices;
  ASSERT_EQ(advise(kJobOnPrices + "interruptions: 2h\n"), 0) << err_;
  for (const char* said :
       {"job: 5h of work on p3.2xlarge, within 10h\n  save      every ",
        "  rent      p3.2xlarge with ", "in us-east-1a\n", "  expect    $",
        "on demand $15.56; saved ", "What if\n",
        "interruptions drawn on top of the trace: every 2h on average in each zone, for 20m",
        "20 windows of 10h", "spotrun submit --job job.json"})
    EXPECT_NE(out_.find(said), std::string::npos) << said << "\nin\n" << out_;
  std::istringstream lines(out_);
  for (std::string line; std::getline(lines, line);)
    if (line.find("past repeating") == line.npos) {
      EXPECT_LE(line.size(), 112u) << line;
    }
}

TEST_F(AdviseOnTheCommandLine, AssumesInterruptionsWhereTheTraceHasNone) {
  std::ofstream(folder_ / "prices.csv") << kFlatPrices;
  ASSERT_EQ(advise(kJobOnPrices), 0) << err_;
  for (const char* said :
       {"M, the mean time between interruptions, is 10h by assumption, see below",
        "\n  interruptions every 6h ", "\n  interruptions every 2h ",
        "EC2 interrupts spot every 10h on average in each zone, for 20m: an assumption"})
    EXPECT_NE(out_.find(said), std::string::npos) << said << "\nin\n" << out_;
  ASSERT_EQ(advise(kJobOnPrices + "interruptions: 10h\n"), 0) << err_;
  for (const char* word : {"an assumption", "Assumed"})
    EXPECT_EQ(out_.find(word), std::string::npos) << out_;
}

TEST_F(AdviseOnTheCommandLine, TakesTheTraceUnchangedOnRequest) {
  std::ofstream(folder_ / "prices.csv") << kFlatPrices;
  ASSERT_EQ(advise(kJobOnPrices + "interruptions: none\n"), 0) << err_;
  EXPECT_NE(out_.find("  save      on notice only: --policy on-notice\n"
                      "            (this trace has no interruption, so earlier checkpoints cost "
                      "more than they save)\n"),
            std::string::npos)
      << out_;
  EXPECT_NE(out_.find("  - no interruptions, as in this trace\n"), std::string::npos) << out_;
}

TEST_F(AdviseOnTheCommandLine, WritesTheSameNumbersForProgramsAndForThePage) {
  std::ofstream(folder_ / "prices.csv") << kFlatPrices;
  std::ofstream(folder_ / "job.yaml") << kJobOnPrices + "interruptions: 2h\n";
  ASSERT_EQ(spotsim("advise " + path("job.yaml") + " --json --out " + path("advice")), 0) << err_;
  const Json advice = Json::parse(out_);
  EXPECT_EQ(advice, report::report_of(folder_ / "advice"));
  ASSERT_EQ(advise(kJobOnPrices + "interruptions: 2h\n"), 0) << err_;
  EXPECT_EQ(advice["summary"].get<std::string>() + "\n" + advice["text"].get<std::string>(), out_);
  const auto is_best = [&](const Json& way) {
    return way["cost_usd"] == advice["best"]["cost_usd"];
  };
  for (const char* list : {"saves", "places"})
    EXPECT_TRUE(std::ranges::any_of(advice[list], is_best));
  EXPECT_GT(advice["saves"].size(), 3u);
  EXPECT_EQ(advice["mean_life_h"], 2);
  std::map<std::string, double> lives;
  for (const Json& one : advice["what_ifs"]) lives[one["what"]] = one["mean_life_h"];
  EXPECT_EQ(lives.at("interruptions twice as often"), 1);
  EXPECT_EQ(lives.at("interruptions half as often"), 4);
  EXPECT_EQ(spotsim("advise " + path("job.yaml") + " --out " + path("job.yaml")), 2);
  EXPECT_NE(err_.find("job.yaml/advice.json: cannot be written (Not a directory), expected a file "
                      "in an existing folder"),
            std::string::npos)
      << err_;
}

TEST_F(AdviseOnTheCommandLine, LeavesOutHalfOfATracesInterruptions) {
  std::string bits =
      "{\"metadata\": {\"gap_seconds\": 600, \"start_time\": "
      "\"2023-02-15T00:00:00Z\"}, \"data\": [";
  for (int tick = 0; tick < 20'000; ++tick)
    bits += (tick ? ", " : "") + std::to_string(tick % 20 > 1);
  std::ofstream(folder_ / "us-east-1a_v100_1.json") << bits + "]}";
  std::ofstream(folder_ / "job.yaml")
      << "instance_type: p3.2xlarge\nwork: 5h\ndeadline: 10h\nwindows: 20\nspot: 0.918\n"
         "trace: us-east-1a_v100_1.json\n";
  ASSERT_EQ(spotsim("advise " + path("job.yaml") + " --json"), 0) << err_;
  const Json advice = Json::parse(out_);
  EXPECT_NEAR(advice["mean_life_h"].get<double>(), 3, 0.1);
  const Json& others = advice["what_ifs"];
  const auto half = std::ranges::find_if(
      others, [](const Json& one) { return one["what"] == "interruptions half as often"; });
  ASSERT_TRUE(half != others.end());
  EXPECT_NEAR((*half)["mean_life_h"].get<double>(), 6, 1);
}

TEST_F(AdviseOnTheCommandLine, ExplainsTheStrategy) {
  std::ofstream(folder_ / "prices.csv") << kFlatPrices;
  ASSERT_EQ(advise(kJobOnPrices + "interruptions: none\n"), 0) << err_;
  EXPECT_NE(out_.find("  rent      p3.2xlarge with greedy in us-east-1a\n            "
                      "(rents spot or waits, "
                      "until only on-demand can meet the deadline)\n"),
            std::string::npos)
      << out_;
}

const std::string kNoTrace =
    "instance_type: g5.2xlarge\nwork: 20h\ndeadline: 32h\nspot: 0.35/h\ninterrupted: every 6h\n"
    "windows: 40\n";

class AdviceInTenLines : public AdviseOnTheCommandLine {
 protected:
  int summed_up(const std::string& yaml, const std::string& options = "") {
    std::ofstream(folder_ / "job.yaml") << yaml;
    return spotsim("advise " + path("job.yaml") + options);
  }
  // The answer as one line.
  std::string words() const {
    std::string text;
    for (const std::string& line : lines())
      text += line.substr(std::min(line.find_first_not_of(' '), line.size())) + " ";
    return text;
  }
  std::vector<std::string> lines() const {
    std::istringstream text(out_);
    std::vector<std::string> all;
    for (std::string line; std::getline(text, line);) all.push_back(line);
    return all;
  }
};

TEST_F(AdviceInTenLines, BeginsWithTheVerdictAndNeedsNoTrace) {
  ASSERT_EQ(summed_up(kNoTrace), 0) << err_;
  EXPECT_EQ(out_.find("Save every "), 0u) << out_;
  for (const char* said :
       {", on spot in us-east-1a: about $", " less than on demand), done in 2",
        "; any interval from ", " is within 1 %.", "The way: --policy time:",
        "Assumed: spot at $0.35 an hour at all times, interrupted every 6 h on average"})
    EXPECT_NE(words().find(said), std::string::npos) << said << "\nin\n" << out_;
  EXPECT_LE(lines().size(), 10u) << out_;
  for (const std::string& line : lines()) EXPECT_LE(line.size(), 112u) << line;
}

TEST_F(AdviceInTenLines, BeginsWithTheSavingOverToday) {
  ASSERT_EQ(summed_up(kNoTrace + "today: {save: every 10m, rent: on-demand}\n"), 0) << err_;
  EXPECT_EQ(
      words().find("Compared with what you do today (save every 10m, on demand in us-east-1a: $"),
      0u)
      << out_;
  EXPECT_NE(words().find(" saves $"), std::string::npos) << out_;
  EXPECT_LE(lines().size(), 10u) << out_;
  ASSERT_EQ(summed_up(kNoTrace + "today: {save: every 10m, rent: on-demand}\n", " --json"), 0);
  const Json advice = Json::parse(out_);
  const Json& today = advice["today"];
  EXPECT_EQ(today["policy"], "time:10m");
  EXPECT_GT(today["done_h"]["mean"], 20.9) << "20 hours, a restart, and 119 checkpoints";
  EXPECT_NEAR(
      today["saved_usd"].get<double>(),
      today["cost_usd"]["mean"].get<double>() - advice["best"]["cost_usd"]["mean"].get<double>(),
      1e-9);
}

TEST_F(AdviceInTenLines, ComparesInstanceTypesInOneTable) {
  const std::string types =
      "instance_types: {g5.2xlarge: 1, g6.2xlarge: 1.25}\nwork: 20h\ndeadline: 32h\n"
      "spot: {g5.2xlarge: 0.35, g6.2xlarge: 0.36}\ninterrupted: every 6h\nwindows: 40\n"
      "today: {save: every 10m, rent: spot, instance_type: g5.2xlarge}\n";
  ASSERT_EQ(summed_up(types), 0) << err_;
  for (const char* said :
       {"on g6.2xlarge spot in us-east-1a", "\n  *      g6.2xlarge  speed 1.25  ",
        "\n         g5.2xlarge  speed 1     ", "\n  today  g5.2xlarge  speed 1     "})
    EXPECT_NE(out_.find(said), std::string::npos) << said << "\nin\n" << out_;
  EXPECT_LE(lines().size(), 10u) << out_;
  ASSERT_EQ(summed_up(types, " --json"), 0) << err_;
  const Json advice = Json::parse(out_);
  EXPECT_EQ(advice["job"]["instance_type"], "g6.2xlarge");
  EXPECT_EQ(advice["job"]["work_h"], 16);
  ASSERT_EQ(advice["types"].size(), 2u);
  EXPECT_EQ(advice["types"][0]["best"], advice["best"]);
}

TEST_F(AdviceInTenLines, TheRangeIsWithinOnePercentOfTheAdvisedCost) {
  ASSERT_EQ(summed_up(kNoTrace, " --json"), 0) << err_;
  const Json advice = Json::parse(out_);
  const double best = advice["best"]["cost_usd"]["mean"];
  const double from = advice["as_good_h"]["from"], to = advice["as_good_h"]["to"];
  bool advised = false;
  for (const Json& way : advice["curve"]) {
    const double every = way["interval_h"];
    advised |= way["policy"] == advice["best"]["policy"] && way["cost_usd"]["mean"] == best;
    if (every >= from && every <= to) {
      EXPECT_LE(way["cost_usd"]["mean"].get<double>(), best * 1.01 + 1e-9) << every;
    }
  }
  EXPECT_TRUE(advised);
}

TEST_F(AdviceInTenLines, DrawsCostAgainstInterval) {
  ASSERT_EQ(summed_up(kNoTrace + "today: {save: every 10m, rent: on-demand}\n",
                      " --plot " + path("cost.svg")),
            0)
      << err_;
  std::stringstream picture;
  picture << std::ifstream(folder_ / "cost.svg").rdbuf();
  for (const char* drawn : {"within 1 %", ">advised: ", ">today: $", "time between checkpoints"})
    EXPECT_NE(picture.str().find(drawn), std::string::npos) << drawn;
  EXPECT_EQ(summed_up(kNoTrace, " --plot " + path("cost.gif")), 2);
  EXPECT_NE(err_.find("--plot: found "), std::string::npos) << err_;
}

// The printed command has flags of `spotrun submit`, with the same meanings, and spotrun accepts
// it.
class PrintedCommand : public AdviseOnTheCommandLine {
 protected:
  // Parses the printed command with spotrun's parser.
  spotrun::CommandLine parsed() const {
    const std::size_t from = out_.find("  spotrun submit ") + std::string("  spotrun ").size();
    std::string command = out_.substr(from, out_.find("\n  (", from) - from);
    if (const auto fold = command.find("\\\n"); fold != command.npos) command.replace(fold, 2, " ");
    try {
      return spotrun::read_command_line(CLI::detail::split_up(command));
    } catch (const std::invalid_argument& error) {
      ADD_FAILURE() << command << ": " << error.what();
      return {};
    }
  }
  static spotrun::StrategyPlan planned(const spotrun::CommandLine& line) {
    spotrun::Job job;
    job.on_demand_price = {{"p3.2xlarge", 3.06}};
    job.document = "{}";
    const auto fleet = nlohmann::json::parse(R"({"LaunchSpecifications": [
        {"ImageId": "ami-1", "InstanceType": "p3.2xlarge",
         "Placement": {"AvailabilityZone": "us-east-1a, us-east-1b"}}]})");
    return read_plan(line.strategy, fleet, "fleet.json", job);
  }
};

TEST_F(PrintedCommand, IsOneThatSpotrunAccepts) {
  std::ofstream(folder_ / "prices.csv") << kFlatPrices +
                                               "us-east-1b,p3.2xlarge,2021-03-01T00:00:00Z,0.918\n"
                                               "us-east-1b,p3.2xlarge,2021-04-01T00:00:00Z,0.918\n";
  for (const char* more :
       {"interruptions: 2h\nmoves: {between_zones: {egress: 0.01, time: 3m}, between_regions: "
        "{egress: 0.02, time: 7m}}\n",
        "interruptions: none\n", "interruptions: 1h\nrestart: 0s\n", "zones: us-east-1b\n"}) {
    ASSERT_EQ(advise(kJobOnPrices + more), 0) << err_;
    const auto line = parsed();
    EXPECT_EQ(line.command, "submit");
    EXPECT_EQ(line.strategy.deadline, "10h");
    EXPECT_NO_THROW({
      const auto plan = planned(line);
      EXPECT_GE(plan.job.work, std::chrono::hours(5));
      EXPECT_LT(plan.job.work, std::chrono::hours(10));
    }) << out_;
  }
}

// spotrun gets the values with which the advice was simulated.
TEST_F(PrintedCommand, ReproducesTheAdvisedCost) {
  std::ofstream(folder_ / "prices.csv") << kFlatPrices;
  for (const char* more :
       {"interruptions: 2h\n", "interruptions: 90m\nnotice: 0s\ncheckpoint: 2m\n"}) {
    ASSERT_EQ(advise(kJobOnPrices + more), 0) << err_;
    const sweep::Question question = sweep::read_advice_file(folder_ / "job.yaml").question;
    const auto line = parsed();
    const std::size_t from = out_.find("--policy ") + std::string("--policy ").size();
    const sweep::CheckpointSettings saves{
        .cost = question.job.checkpoint_cost,
        .policy = out_.substr(from, out_.find_first_of(" \n", from) - from),
        .told_work = *parse_duration(line.strategy.work)};
    sweep::AdviceTrials trials(question, 1);
    const std::array<std::string, 1> strategy{line.strategy.strategy};
    const auto runs = trials.attempt(strategy, {0}, {{saves}});
    const std::string cost = fmt::format("expect    ${:.2f}", sweep::mean_of(runs.front().cost));
    EXPECT_NE(out_.find(cost), std::string::npos) << cost << " in\n" << out_;
  }
}

TEST_F(PrintedCommand, HasTheMoveIfSeveralZonesAreAdvised) {
  std::string prices = "az,instance_type,timestamp,price_usd_h\n";
  for (const char* zone : {"a", "b"})
    for (int day = 1; day <= 28; ++day)  // one zone is cheap on even days, the other on odd ones
      prices += fmt::format("us-east-1{},p3.2xlarge,2021-03-{:02}T00:00:00Z,{}\n", zone, day,
                            (day + (*zone == 'a')) % 2 ? "0.3" : "2.5");
  std::ofstream(folder_ / "prices.csv") << prices;
  ASSERT_EQ(advise("instance_type: p3.2xlarge\nwork: 60h\ndeadline: 80h\ntrace: prices.csv\n"
                   "windows: 20\ninterruptions: none\nmoves: {between_zones: {egress: 0.01, time: "
                   "3m}, between_regions: {egress: 0.02, time: 7m}}\n"),
            0)
      << err_;
  EXPECT_NE(out_.find("in us-east-1a, us-east-1b\n"), std::string::npos) << out_;
  EXPECT_EQ(parsed().strategy.move, "3m") << out_;
}

TEST_F(AdviseOnTheCommandLine, StatesTheSourceOfM) {
  std::ofstream(folder_ / "prices.csv") << kFlatPrices;
  ASSERT_EQ(advise(kJobOnPrices + "interruptions: 3h\n"), 0) << err_;
  EXPECT_NE(out_.find("M, the mean time between interruptions, is 3h: the file's `interruptions`; "
                      "the trace has"),
            std::string::npos)
      << out_;
  // The price exceeds the on-demand price of 3.06 on 15 days. Each of them interrupts the instance.
  std::string prices = "az,instance_type,timestamp,price_usd_h\n";
  for (int day = 1; day <= 31; ++day)
    prices += fmt::format("us-east-1a,p3.2xlarge,2021-03-{:02}T00:00:00Z,{}\n", day,
                          day % 2 ? "0.9" : "5");
  std::ofstream(folder_ / "prices.csv") << prices;
  ASSERT_EQ(advise(kJobOnPrices), 0) << err_;
  EXPECT_NE(out_.find("is 24h: measured, 15 in the trace of these zones"), std::string::npos)
      << out_;
}

TEST_F(AdviseOnTheCommandLine, WarnsAndStillAnswers) {
  std::ofstream(folder_ / "prices.csv") << kFlatPrices;
  ASSERT_EQ(advise(kJobOnPrices + "interruptions: 2h\nstep: 30h\n"), 0) << err_;
  EXPECT_NE(err_.find("job.yaml:7:7: step: warning: found 30h; "), std::string::npos) << err_;
  EXPECT_NE(out_.find("  expect    $"), std::string::npos) << out_;
}

TEST_F(AdviseOnTheCommandLine, AMissingFileHasNoLine) {
  EXPECT_EQ(spotsim("advise " + path("none.yaml")), 2);
  EXPECT_EQ(err_, "cannot read " + path("none.yaml") + ": No such file or directory\n");
}

TEST_F(AdviseOnTheCommandLine, ABadJobIsReportedWithItsLine) {
  EXPECT_EQ(advise(kJobOnPrices), 2);
  EXPECT_NE(err_.find("job.yaml:4:8: trace: "), std::string::npos) << err_;
  EXPECT_EQ(out_, "");
  std::ofstream(folder_ / "prices.csv") << kFlatPrices;
  EXPECT_EQ(advise(kJobOnPrices + "work: 40d\n"), 2);
  EXPECT_EQ(advise("instance_type: p3.2xlarge\nwork: 800h\ndeadline: 900h\ntrace: prices.csv\n"),
            2);
  EXPECT_NE(err_.find("found a trace of 744h"), std::string::npos) << err_;
}

}  // namespace
}  // namespace sim::cli
