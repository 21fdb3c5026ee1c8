#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "sim/scenario/scenario.h"
#include "sim/sweep/file/sweep_file.h"
#include "sim/sweep/run_all_for_test.h"

namespace sim::sweep {
namespace {

namespace fs = std::filesystem;

// A sweep of a job of one hour with a deadline of three, in a folder of its own, and its messages.
class SweepChecks : public testing::Test {
 protected:
  SweepChecks() { fs::create_directories(folder_); }
  ~SweepChecks() override { fs::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
  }
  SweepFile parse(const std::string& traces) const {
    return parse_sweep("name: checks\npolicies: [" + policies_ + "]\njob: " + job_ +
                           "\nprices: {on_demand: 1, spot: 0.3}\ntraces:\n  - " + traces + "\n",
                       folder_ / "s.yaml");
  }
  // Errors and warnings without the folder's name.
  std::string said(const std::string& traces) const {
    std::string text;
    try {
      for (const std::string& warning : parse(traces).warnings) text += warning + "\n";
    } catch (const scenario::ScenarioError& error) {
      text = error.what();
    }
    for (std::size_t at = 0; (at = text.find(folder_.string() + "/", at)) != text.npos;)
      text.erase(at, folder_.string().size() + 1);
    return text;
  }
  // The cost in dollars of the first policy's run on each window.
  std::vector<double> costs(const std::string& traces) const {
    const auto sweep = parse(traces).sweep;
    const Rows rows = sweep::run_all(*sweep);
    std::vector<double> all;
    for (std::size_t i = 0; i < static_cast<std::size_t>(sweep->grid().blocks()); ++i)
      all.push_back(static_cast<double>(rows.measures(i)[sweep::kCost]) / 1e9);
    return all;
  }

  fs::path folder_ = fs::path(testing::TempDir()) / ("sweep-checks-" + std::to_string(getpid()));
  std::string policies_ = "on-demand";
  std::string job_ = "{work: 1h, deadline: 3h, changeover: 0s, tick: 10m}";
};

constexpr const char* kTwoTypes =
    "az,instance_type,timestamp,price_usd_h\n"
    "us-east-1a,m5.large,2021-03-02T00:00:00Z,0.03\n"
    "us-east-1a,m5.large,2021-03-02T06:00:00Z,0.04\n"
    "us-east-1a,p3.2xlarge,2021-03-02T00:00:00Z,0.9\n"
    "us-east-1a,p3.2xlarge,2021-03-02T06:00:00Z,0.95\n";

TEST_F(SweepChecks, AFileThatIsNotThereIsNamedAtTheSweepsLine) {
  EXPECT_EQ(said("{file: none.json}").rfind("s.yaml:6:12: traces[0].file: none.json: ", 0), 0u)
      << said("{file: none.json}");
  EXPECT_EQ(said("{pools: [none.json]}").rfind("s.yaml:6:14: traces[0].pools[0]: none.json: ", 0),
            0u)
      << said("{pools: [none.json]}");
  write("prices.csv", kTwoTypes);
  EXPECT_NE(said("{file: prices.csv, select: [m5.large/us-east-1a], prices: none.json}")
                .find("s.yaml:6:63: traces[0].prices: none.json: cannot be opened"),
            std::string::npos);
}

TEST_F(SweepChecks, OneOnDemandPriceForSeveralTypesIsAnError) {
  write("prices.csv", kTwoTypes);
  const std::string message =
      "found prices of 2 instance types (m5.large, p3.2xlarge …) at one on-demand price, expected "
      "`on_demand: listed`";
  for (const std::string& traces :
       {std::string("{file: prices.csv}"), std::string("{pools: [{file: prices.csv}]}"),
        std::string("{file: prices.csv, on_demand: 0.10}")})
    EXPECT_NE(said(traces).find(message), std::string::npos) << said(traces);
  EXPECT_EQ(said("{file: prices.csv, select: [m5.large/us-east-1a]}").find("found prices"),
            std::string::npos);
}

TEST_F(SweepChecks, TypesHaveTheirOwnOnDemandPrices) {
  write("prices.csv", kTwoTypes);
  // m5.large and p3.2xlarge cost $0.096 and $3.06 in us-west-2.
  const auto of = [](const std::string& on_demand) {
    return "{file: prices.csv, on_demand: " + on_demand + "}";
  };
  EXPECT_EQ(costs(of("listed")), (std::vector<double>{0.096, 3.06}));
  EXPECT_EQ(costs(of("{m5.large: 0.2, p3.2xlarge: 4}")), (std::vector<double>{0.2, 4}));
  EXPECT_EQ(costs(of("{m5.large: 0.2, p3.2xlarge: 4, p3.2xlarge/us-east-1: 5, "
                     "m5.large/us-east-1a: 0.3}")),
            (std::vector<double>{0.3, 5}));
  EXPECT_EQ(costs("{pools: [{file: prices.csv, on_demand: listed}]}"), (std::vector<double>{0.096}))
      << "the cheapest";
  EXPECT_EQ(said(of("{m5.large: 0.2}")),
            "s.yaml:6:35: traces[0].on_demand: found no price of p3.2xlarge/us-east-1a, expected "
            "one of p3.2xlarge, or of it in its region");
  write("own.csv",
        "az,instance_type,timestamp,price_usd_h\nus-east-1a,m99.large,2021-03-02T00:00:00Z,1\n"
        "us-east-1a,m99.large,2021-03-02T06:00:00Z,2\n");
  EXPECT_NE(said("{file: own.csv, on_demand: listed}").find("found the type m99.large of"),
            std::string::npos);
}

TEST_F(SweepChecks, ListedOnDemandPricesAreThoseOfTheTracesTime) {
  const auto cost_in = [&](const std::string& year) {
    const std::string row = "us-west-2a,p4d.24xlarge," + year + "-03-02T";
    write("prices.csv", "az,instance_type,timestamp,price_usd_h\n" + row + "00:00:00Z,9\n" + row +
                            "06:00:00Z,9.5\n");
    return costs("{file: prices.csv, on_demand: listed}");
  };
  EXPECT_EQ(cost_in("2021"), std::vector{32.7726});
  EXPECT_EQ(cost_in("2026"), std::vector{21.957642});
}

TEST_F(SweepChecks, PoolsStandInTheOrderInWhichTheyAreSelected) {
  write("prices.csv", kTwoTypes);
  policies_ = "spot-only";
  // A strategy without a pool rule rents in the first.
  const auto of = [](const std::string& select) {
    return "{pools: [{file: prices.csv, on_demand: listed, select: [" + select + "]}]}";
  };
  EXPECT_EQ(costs(of("p3.2xlarge/us-east-1a, m5.large/us-east-1a")).front(), 0.9);
  EXPECT_EQ(costs(of("m5.large/us-east-1a, p3.2xlarge/us-east-1a")).front(), 0.03);
}

TEST_F(SweepChecks, ADeadlineThatNothingCanMeetIsAnError) {
  const std::string draw = "draw: {up: 1h, down: 1h, length: 9h}";
  job_ = "{work: 4h, deadline: 3h, changeover: 10m, tick: 10m}";
  EXPECT_EQ(said(draw),
            "s.yaml:3:27: job.deadline: found a deadline of 3h for 4h of work after a changeover "
            "of 10m, which no run can meet, expected at least 4h10m");
  job_ = "{work: [1h, 4h], deadline: 3h, changeover: 10m, tick: 10m}";
  EXPECT_EQ(said(draw).rfind("s.yaml:3:33: job.deadline: warning: found a deadline of 3h", 0), 0u)
      << "some settings can: " << said(draw);
}

TEST_F(SweepChecks, ATickLongerThanTheDeadlineIsAnError) {
  job_ = "{work: 1h, deadline: [3h, 9h], changeover: 10m, tick: 4h}";
  EXPECT_EQ(said("draw: {up: 1h, down: 1h, length: 40h}"),
            "s.yaml:3:60: job.tick: found a tick of 4h, longer than the deadline of 3h: policies "
            "would decide once, expected ticks of minutes such as 10m");
}

TEST_F(SweepChecks, WarnsOfWindowsShorterThanTheDeadline) {
  EXPECT_EQ(said("draw: {up: 1h, down: 1h, length: 2h}"),
            "s.yaml:6:5: traces[0]: warning: found windows of 2h, shorter than the deadline of 3h: "
            "after their end there is no spot, expected a `length` of at least 3h\n");
  EXPECT_EQ(said("draw: {up: 1h, down: 1h, length: 3h, count: 9}"), "");
}

TEST_F(SweepChecks, WarnsOfTwoPricesAtOneInstantOnce) {
  write("p.csv",
        "az,instance_type,timestamp,price_usd_h\n"
        "us-east-1a,m5.large,2021-03-02T00:00:00Z,0.4\n"
        "us-east-1a,m5.large,2021-03-02T03:00:00Z,1.2\n"
        "us-east-1a,m5.large,2021-03-02T03:00:00Z,0.5\n"
        "us-east-1a,m5.large,2021-03-02T06:00:00Z,1.1\n");
  const std::string found = said("{pools: [p.csv, {file: p.csv}]}");
  EXPECT_TRUE(
      found.starts_with("p.csv:4: m5.large/us-east-1a at 2021-03-02T03:00:00Z: warning: "
                        "found 0.5000, and 1.2000 on line 3, expected one price at an instant"))
      << found;
  EXPECT_EQ(found.find("two products"), found.rfind("two products")) << found;
}

TEST_F(SweepChecks, WarnsOfPricesThatInterruptNoInstance) {
  const auto prices = [&](const char* first, const char* then) {
    write("p.csv", fmt::format("az,instance_type,timestamp,price_usd_h\n"
                               "us-east-1a,m5.large,2021-03-02T00:00:00Z,{}\n"
                               "us-east-1a,m5.large,2021-03-02T03:00:00Z,{}\n"
                               "us-east-1a,m5.large,2021-03-02T06:00:00Z,{}\n",
                               first, then, first));
    return said("{file: p.csv}");
  };
  EXPECT_EQ(
      prices("0.4", "0.9"),
      "s.yaml:6:5: traces[0]: warning: found spot that is always available, at prices that never "
      "rise above on-demand, which is the usual bid: nothing is interrupted, expected policies "
      "that bid less, such as greedy+bid-share:0.4, or a trace of availability in addition "
      "to the prices\n");
  EXPECT_EQ(prices("0.4", "1.1"), "") << "above on-demand";
  policies_ = "on-demand, greedy+bid-share:0.5";
  EXPECT_EQ(prices("0.4", "0.9"), "") << "above a bid";
  EXPECT_NE(prices("0.4", "0.4").find("at prices that never change: nothing is interrupted"),
            std::string::npos);
}

}  // namespace
}  // namespace sim::sweep
