#include "sim/cli/advise.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "sim/cli/command_for_test.h"

namespace sim::cli {
namespace {

class AdviseOnTheCommandLine : public OnTheCommandLine {
 protected:
  AdviseOnTheCommandLine() : OnTheCommandLine({add_advise_command}) {}

  int advise(const std::string& yaml) {
    std::ofstream(folder_ / "job.yaml") << yaml;
    return spotsim("advise " + path("job.yaml"));
  }
};

const std::string kFlatPrices =
    "az,instance_type,timestamp,price_usd_h\n"
    "us-east-1a,p3.2xlarge,2021-03-01T00:00:00Z,0.918\n"
    "us-east-1a,p3.2xlarge,2021-04-01T00:00:00Z,0.918\n";
const std::string kJobOnPrices =
    "instance_type: p3.2xlarge\nwork: 5h\ndeadline: 10h\ntrace: prices.csv\nwindows: 20\n";

TEST_F(AdviseOnTheCommandLine, SaysWhatToDoAndWhatItRestsOn) {
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
       {"spot is assumed to be taken every 10h, see below", "\n  interruptions every 6h ",
        "\n  interruptions every 2h ",
        "EC2 taking spot every 10h on average in each zone, for 20m: an assumption"})
    EXPECT_NE(out_.find(said), std::string::npos) << said << "\nin\n" << out_;
  ASSERT_EQ(advise(kJobOnPrices + "interruptions: 10h\n"), 0) << err_;
  EXPECT_EQ(out_.find("assum"), std::string::npos) << out_;
}

TEST_F(AdviseOnTheCommandLine, TakesTheTraceAsItIsWhenToldSo) {
  std::ofstream(folder_ / "prices.csv") << kFlatPrices;
  ASSERT_EQ(advise(kJobOnPrices + "interruptions: none\n"), 0) << err_;
  EXPECT_NE(out_.find("spot was never taken in 200h of these windows"), std::string::npos) << out_;
  EXPECT_NE(out_.find("  - nobody being interrupted, as in this trace\n"), std::string::npos)
      << out_;
}

TEST_F(AdviseOnTheCommandLine, SaysWhatTheStrategyMeans) {
  std::ofstream(folder_ / "prices.csv") << kFlatPrices;
  ASSERT_EQ(advise(kJobOnPrices + "interruptions: none\n"), 0) << err_;
  EXPECT_NE(out_.find("  rent      p3.2xlarge with greedy\n            in us-east-1a\n            "
                      "(spot or idle "
                      "until only on-demand can meet the deadline)\n"),
            std::string::npos)
      << out_;
}

TEST_F(AdviseOnTheCommandLine, ABadJobIsToldWithItsPlace) {
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
