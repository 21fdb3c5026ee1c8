#include "sim/sweep/advice/advice_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "base/files/folder_for_test.h"
#include "sim/scenario/scenario.h"

namespace sim::sweep {
namespace {

using namespace std::chrono_literals;

std::string message_about(const std::string& yaml) {
  try {
    parse_advice_file(yaml, SPOTSIM_SOURCE_DIR "/scenarios/advice/job.yaml");
    return "";
  } catch (const scenario::ScenarioError& error) {
    return error.what();
  }
}

const std::string kGoodJob =
    "instance_type: p3.2xlarge\nwork: 20h\ndeadline: 30h\ntrace: ../traces/us-west-2-gpu.json\n";

TEST(AdviceFile, ReadsThePoolsOfItsType) {
  const auto file = parse_advice_file(kGoodJob, SPOTSIM_SOURCE_DIR "/scenarios/advice/job.yaml");
  EXPECT_EQ(file.question.name, "job");
  EXPECT_FALSE(file.question.zones.empty());
  EXPECT_EQ(file.question.job.changeover, 5min);
  EXPECT_GT(file.question.job.on_demand.nano, 0);
}

// A wrong type is reported once, without a second message about too many pools.
TEST(AdviceFile, AWrongTypeIsOneError) {
  for (const char* type : {"p3.2xlage", "g5.xlarge"}) {
    std::string text = kGoodJob;
    const std::string message = message_about(text.replace(text.find("p3.2xlarge"), 10, type));
    EXPECT_EQ(std::ranges::count(message, '\n'), 0) << message;
    EXPECT_NE(message.find(type), std::string::npos);
  }
}

TEST(AdviceFile, WarnsOfProbableMistakes) {
  const auto warnings = [](const std::string& yaml) {
    return parse_advice_file(yaml, SPOTSIM_SOURCE_DIR "/scenarios/advice/job.yaml").warnings;
  };
  EXPECT_TRUE(warnings(kGoodJob).empty());
  const std::pair<std::string, std::string> cases[] = {
      {kGoodJob + "checkpoint: 30h\n",
       ":5:13: checkpoint: warning: found 30h; training pauses so long for each checkpoint of 20h "
       "of work: is the unit too large?"},
      {kGoodJob + "step: 100h\n", ":5:7: step: warning: found 100h; 100h is one step of training"},
      {kGoodJob + "restart: 5h\n", ":5:10: restart: warning: found 5h; each new instance needs"},
      {kGoodJob + "notice: 2h\n", ":5:9: notice: warning: found 2h; EC2 gives 2m"},
      {kGoodJob + "tick: 4h\n", ":5:7: tick: warning: found 4h; only 7 decisions"},
      {kGoodJob + "interruptions: 4m\n",
       ":5:16: interruptions: warning: found 4m; spot is interrupted"},
      {kGoodJob + "on_demand: 1\nspot: 2\n", ":6:7: spot: warning: found 2; on demand costs 1"}};
  for (const auto& [yaml, expected] : cases) {
    const auto all = warnings(yaml);
    ASSERT_GE(all.size(), 1u) << yaml;
    EXPECT_TRUE(std::ranges::any_of(
        all,
        [&](const std::string& warning) { return warning.find(expected) != std::string::npos; }))
        << fmt::format("{}", fmt::join(all, "\n")) << "\nfor\n"
        << yaml;
  }
  std::string short_work = kGoodJob;
  const auto all = warnings(short_work.replace(short_work.find("20h"), 3, "20s"));
  ASSERT_EQ(all.size(), 1u);
  EXPECT_NE(all.front().find(":2:7: work: warning: found 20s; the job ends before the second "
                             "decision, 10m after the first"),
            std::string::npos)
      << all.front();
}

const std::string kOnV100 =
    "work: 20h\ndeadline: 30h\ntrace: ../traces/skynomad/v100\nzones: [us-west-2a, us-west-2b]\n";

TEST(AdviceFile, WarnsOfATraceOfAnotherGpu) {
  const auto warnings = [](const std::string& yaml) {
    return parse_advice_file(yaml, SPOTSIM_SOURCE_DIR "/scenarios/advice/job.yaml").warnings;
  };
  EXPECT_TRUE(warnings("instance_type: p3.2xlarge\n" + kOnV100).empty());
  const auto all = warnings("instance_type: g5.xlarge\n" + kOnV100 + "spot: 0.4\n");
  ASSERT_EQ(all.size(), 1u);
  EXPECT_NE(all[0].find(":4:8: trace: warning: found spot of v100; g5.xlarge has NVIDIA A10G, "
                        "whose capacity may differ"),
            std::string::npos)
      << all[0];
}

TEST(AdviceFile, TakesNoPricesOfAnotherGpu) {
  const std::string message = message_about("instance_type: g5.xlarge\n" + kOnV100);
  EXPECT_NE(message.find("spot: found no spot price, and a trace without prices of g5.xlarge, "
                         "expected `spot: USD an hour`"),
            std::string::npos)
      << message;
}

TEST(AdviceFile, SpotGoesBeforeTheTracesPrices) {
  const auto file = parse_advice_file("instance_type: p3.2xlarge\n" + kOnV100 + "spot: 0.4\n",
                                      SPOTSIM_SOURCE_DIR "/scenarios/advice/job.yaml");
  EXPECT_EQ(file.question.job.spot, market::Usd{400'000'000});
  for (const auto& zone : file.question.zones) EXPECT_TRUE(zone.series.prices.empty());
}

TEST(AdviceFile, WarnsOfTwoPricesAtOneInstant) {
  const base::FolderForTest folder;
  std::ofstream(folder / "prices.csv") << "az,instance_type,timestamp,price_usd_h\n"
                                          "us-west-2a,p3.2xlarge,2021-03-02T00:00:00Z,1.0\n"
                                          "us-west-2a,p3.2xlarge,2021-03-02T02:00:00Z,1.2\n"
                                          "us-west-2a,p3.2xlarge,2021-03-02T02:00:00Z,1.3\n"
                                          "us-west-2a,p3.2xlarge,2021-03-02T09:00:00Z,1.0\n";
  const auto warnings =
      parse_advice_file("instance_type: p3.2xlarge\nwork: 2h\ndeadline: 4h\ntrace: prices.csv\n",
                        folder / "job.yaml")
          .warnings;
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings[0].find("prices.csv:4: p3.2xlarge/us-west-2a at 2021-03-02T02:00:00Z: "
                             "warning: found 1.3000, and 1.2000 on line 3"),
            std::string::npos)
      << warnings[0];
}

TEST(AdviceFile, WarnsOfAnUnknownTypeAndOfMovesForNothing) {
  const auto folder =
      std::filesystem::temp_directory_path() / ("spotsim-advice-" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "windows.txt") << std::string(300, '1') << "\n";
  const auto unknown = parse_advice_file(
      "instance_type: p3.2xlarge\nwork: 2h\ndeadline: 4h\ntrace: windows.txt\nspot: 1\n",
      folder / "job.yaml");
  std::filesystem::remove_all(folder);
  ASSERT_EQ(unknown.warnings.size(), 1u);
  EXPECT_NE(unknown.warnings[0].find(":4:8: trace: warning: found spot of windows, which is not a "
                                     "known instance type or GPU; treated as spot of p3.2xlarge"),
            std::string::npos)
      << unknown.warnings[0];
  const auto far = parse_advice_file(
      "instance_type: p3.2xlarge\nwork: 20h\ndeadline: 30h\ntrace: ../traces/skynomad/v100\n",
      SPOTSIM_SOURCE_DIR "/scenarios/advice/job.yaml");
  ASSERT_EQ(far.warnings.size(), 1u);
  EXPECT_NE(far.warnings[0].find("moves: warning: found zones of us-east-1, us-east-2, us-west-2 "
                                 "and no `moves`"),
            std::string::npos)
      << far.warnings[0];
}

TEST(AdviceFile, KnowsTheFilesOfOtherCommands) {
  const auto whole = [](const std::string& file) -> std::string {
    try {
      read_advice_file(SPOTSIM_SOURCE_DIR "/scenarios/" + file);
      return "";
    } catch (const scenario::ScenarioError& error) {
      return error.what();
    }
  };
  for (const auto& [file, expected] :
       {std::pair{"az-hop.yaml",
                  "az-hop.yaml:1:1: job: found a scenario, which `spotsim run` takes"},
        {"sweeps/policies.yaml",
         "policies.yaml:1:1: job: found a sweep, which `spotsim sweep` takes"},
        {"no-such.yaml", "no-such.yaml: No such file or directory"},
        {"az-hob.yaml", "az-hob.yaml: No such file or directory; there is " SPOTSIM_SOURCE_DIR
                        "/scenarios/az-hop.yaml"},
        {"sweeps", "scenarios/sweeps: Is a directory"}}) {
    EXPECT_NE(whole(file).find(expected), std::string::npos) << whole(file);
    EXPECT_EQ(std::ranges::count(whole(file), '\n'), 0);
  }
}

TEST(AdviceFile, AWrongDurationIsOneError) {
  for (const char* wrong : {"100000h", "30", "thirty hours"}) {
    std::string job = kGoodJob;
    const std::size_t at = job.find("deadline: ") + 10;
    const std::string message = message_about(job.replace(at, job.find('\n', at) - at, wrong));
    EXPECT_NE(message.find("deadline: found \"" + std::string(wrong) + "\""), std::string::npos)
        << message;
    EXPECT_EQ(std::ranges::count(message, '\n'), 0) << message;
  }
}

TEST(AdviceFile, AMissingMoveIsOneError) {
  const std::string message =
      message_about(kGoodJob + "moves: {between_zones: {egress: 0.2, time: 5m}}\n");
  EXPECT_NE(message.find(":5:8: moves.between_regions: found nothing, expected what a move costs"),
            std::string::npos)
      << message;
  EXPECT_EQ(std::ranges::count(message, '\n'), 0) << message;
}

const std::string kWithoutTrace = "instance_type: g5.2xlarge\nwork: 20h\ndeadline: 30h\n";
const char* const kAnyFile = SPOTSIM_SOURCE_DIR "/scenarios/advice/job.yaml";

TEST(AdviceFile, APriceIsEnough) {
  const Question question =
      parse_advice_file(kWithoutTrace + "spot: 0.35/h\ninterrupted: every 6h\n", kAnyFile).question;
  EXPECT_TRUE(question.no_trace);
  ASSERT_EQ(question.zones.size(), 1u);
  EXPECT_EQ(question.zones[0].name, "us-east-1a");
  EXPECT_EQ(question.job.spot, market::Usd{350'000'000});
  EXPECT_EQ(question.job.on_demand, market::Usd{1'212'000'000});
  ASSERT_TRUE(question.interruptions);
  EXPECT_EQ(question.interruptions->every, 6h);
  const auto two =
      parse_advice_file(kWithoutTrace + "spot: 0.35\nzones: [eu-west-1a, eu-west-1b]\n", kAnyFile);
  EXPECT_EQ(two.question.zones.size(), 2u);
  EXPECT_NE(message_about(kWithoutTrace + "spot: 0.35\nzones: mars\n")
                .find("expected an Availability Zone such as us-east-1a"),
            std::string::npos);
}

TEST(AdviceFile, WithoutATraceShowsHowToGetOne) {
  const std::string message = message_about(kWithoutTrace);
  for (const char* said :
       {"trace: found nothing, expected one of\n", "`spot: 0.35/h` and `interrupted: every 6h`",
        "skynomad-v100 ",
        "aws ec2 describe-spot-price-history --instance-types g5.2xlarge --product-descriptions "
        "Linux/UNIX"})
    EXPECT_NE(message.find(said), std::string::npos) << said << "\nin\n" << message;
}

TEST(AdviceFile, NamesATraceThatComesWithSpotsim) {
  const auto file = parse_advice_file(
      "instance_type: p3.2xlarge\nwork: 20h\ndeadline: 30h\n"
      "trace: skynomad-v100\nzones: us-west-2a\n",
      "/nowhere/job.yaml");
  EXPECT_EQ(file.question.zones.size(), 1u);
}

TEST(AdviceFile, ComparesTypesBySpeed) {
  const std::string rest = "work: 20h\ndeadline: 30h\nspot: {g5.2xlarge: 0.35, p3.2xlarge: 1}\n";
  const auto files =
      parse_advice_files("instance_types: {g5.2xlarge: 1, p3.2xlarge: 1.6}\n" + rest +
                             "today: {save: on notice, rent: spot, instance_type: p3.2xlarge}\n",
                         kAnyFile);
  ASSERT_EQ(files.size(), 2u);
  EXPECT_EQ(files[1].question.job.work, 12h + 30min);
  EXPECT_EQ(files[1].question.job.spot, market::Usd{1'000'000'000});
  EXPECT_FALSE(files[0].today);
  ASSERT_TRUE(files[1].today);
  EXPECT_EQ(files[1].today->policy, "on-notice");
  EXPECT_EQ(files[1].today->strategy, "spot-only");
  const auto fast =
      parse_advice_files("instance_types: {g5.2xlarge: 0.5, p3.2xlarge: 1}\n" + rest, kAnyFile);
  ASSERT_EQ(fast.size(), 1u) << "the slow one is left out";
  EXPECT_NE(fmt::format("{}", fmt::join(fast[0].warnings, "\n"))
                .find("deadline: warning: g5.2xlarge is left out: found 30h for 40h of work"),
            std::string::npos);
  EXPECT_NE(message_about("instance_types: {g5.2xlarge: 0.5, p3.2xlarge: 0.5}\n" + rest)
                .find("deadline: found 30h for 40h of work"),
            std::string::npos);
  EXPECT_NE(message_about("instance_types: {g5.2xlarg: 1}\n" + rest).find("found \"g5.2xlarg\""),
            std::string::npos);
}

TEST(AdviceFile, ReadsTodayInWords) {
  const auto policy = [](const std::string& save) {
    return parse_advice_file(
               kWithoutTrace + "spot: 0.35\ntoday: {save: " + save + ", rent: on-demand}\n",
               kAnyFile)
        .today->policy;
  };
  EXPECT_EQ(policy("every 10m"), "time:10m");
  EXPECT_EQ(policy("every 1h and on notice"), "time:1h,on-notice");
  EXPECT_EQ(policy("every epoch"), "epoch");
  EXPECT_EQ(policy("never"), "none");
  EXPECT_EQ(policy("time:5m"), "time:5m");
  const std::string begin = kWithoutTrace + "spot: 0.35\n";
  for (const auto& [today, said] :
       {std::pair{"{save: often, rent: spot}", "save: found \"often\", expected when you save"},
        {"{save: every 5m, rent: cars}", "rent: found \"cars\", expected what you rent"},
        {"{save: every 5m}", "today.rent: found nothing, expected what you rent"},
        {"often", "today: found \"often\", expected what you do now"},
        {"{save: every 5m, rent: spot, zone: us-east-1f}", "one of the job's zones: us-east-1a"}})
    EXPECT_NE(message_about(begin + "today: " + today + "\n").find(said), std::string::npos)
        << message_about(begin + "today: " + today + "\n");
}

TEST(AdviceFile, ReportsErrorsOfAJobWithTheirLines) {
  const auto with = [](std::string from, const std::string& to) {
    std::string text = kGoodJob;
    return text.replace(text.find(from), from.size(), to);
  };
  const std::pair<std::string, std::string> cases[] = {
      {with("p3.2xlarge", "p3.2xlage"), ":1:16: instance_type: found \"p3.2xlage\", expected"},
      {with("20h", "20"), ":2:7: work: found \"20\", expected a duration"},
      {with("20h", "20 hrs"),
       ":2:7: work: found \"20 hrs\", expected a duration such as 20h, of computing (units: d, h, "
       "m, s, ms, us, ns; no spaces)"},
      {kGoodJob + "checkpoint: 3 min\n",
       ":5:13: checkpoint: found \"3 min\", expected a duration such as 90s (units: d, h, m, s"},
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
