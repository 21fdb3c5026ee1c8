// Damaged sweep files and jobs for advise get messages and do not crash.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "sim/scenario/mutations_for_test.h"
#include "sim/scenario/scenario.h"
#include "sim/sweep/advice/advice_file.h"
#include "sim/sweep/file/sweep_file.h"

namespace sim::sweep {
namespace {

namespace fs = std::filesystem;

class Damage : public testing::TestWithParam<std::pair<const char*, std::string>> {
 protected:
  Damage() {
    fs::create_directories(folder_);
    setenv("PATH", (folder_ / "none").c_str(), 1);  // so that a damaged command starts no program
    program("zzsave", "#!/bin/sh\nwhile read -r line; do echo '{\"save\": \"no\"}'; done\n");
    program("zzrent",
            "#!/bin/sh\nwhile read -r line; do case $line in *begin*) ;;"
            " *) echo '{\"rental\": \"idle\"}' ;; esac; done\n");
    std::ofstream(folder_ / "prices.csv") << "az,instance_type,timestamp,price_usd_h\n"
                                             "us-east-1a,p3.2xlarge,2021-03-01T00:00:00Z,0.918\n"
                                             "us-east-1a,p3.2xlarge,2021-03-03T00:00:00Z,0.918\n"
                                             "us-east-1b,p3.2xlarge,2021-03-01T00:00:00Z,0.9\n"
                                             "us-east-1b,p3.2xlarge,2021-03-03T00:00:00Z,0.918\n";
  }
  ~Damage() override {
    setenv("PATH", path_.c_str(), 1);
    fs::remove_all(folder_);
  }

  void program(const char* name, const char* text) const {
    std::ofstream(folder_ / name) << text;
    chmod((folder_ / name).c_str(), 0700);
  }

  static std::string placed(std::string text) {
    const auto at = text.find("SOURCE");
    return at == text.npos ? text : text.replace(at, 6, SPOTSIM_SOURCE_DIR);
  }

  const std::string path_ = std::getenv("PATH");
  fs::path folder_ = fs::path(testing::TempDir()) / ("damaged-files-" + std::to_string(getpid()));
};

const std::string kJob = R"(name: job
description: all keys
instance_type: p3.2xlarge
work: 5h
deadline: 10h
checkpoint: 30s
restart: 5m
step: 1m
notice: 2m
trace: prices.csv
zones: [us-east-1a, us-east-1b]
interruptions: {every: 6h, away: 20m}
moves:
  gigabytes: 50
  between_zones: {egress: 0.01, time: 1m}
  between_regions: {egress: 0.02, time: 5m}
  pairs: {us-east-1/us-west-2: {egress: 0.03, time: 6m}}
on_demand: 3.06
spot: 0.918
late_allowed: 0.05
tick: 10m
windows: 20
seed: 3
)";

const std::string kPolicies = R"(name: sweep
description: the keys of a sweep of policies
late_allowed: 0.05
policies: [greedy, "uniform-progress+lowest-price+bid-share:0.5", {command: [./zzrent, x]}, optimum]
job:
  work: [5h, 6h]
  deadline: 10h
  changeover: 5m
  tick: 10m
  step: 1m
  epoch: 1h
  notice: [2m, 30s]
  rebalance: 10m
  checkpoints:
    - {interval: 1h, cost: 30s}
    - {policy: "daly:6h,on-notice", cost: 30s}
    - {policy: {command: ./zzsave}, cost: 30s}
  moves: {between_zones: {egress: 1, time: 1m}, between_regions: {egress: 2, time: 5m}}
prices: {on_demand: 3.06, spot: 0.918}
billing: per-second
published: {greedy: 12.5}
traces:
  - {file: prices.csv, select: [p3.2xlarge/us-east-1a], length: 20h, count: 2, seed: 4,
     on_demand: listed}
  - market: both
    pools: [{file: prices.csv, on_demand: {p3.2xlarge: 3.06, p3.2xlarge/us-east-1: 3}, spot: 0.9}]
    length: 20h
    starts: [0s, 10h]
  - {draw: {market: drawn, up: 1h, down: 10m, up_shape: 2, down_shape: 1, length: 20h, count: 2}}
)";

const std::string kConventions = R"(name: regions
policies: [skynomad, skynomad-up]
job: {deadline_ratio: [1.2, 1.5], deadline: 10h, changeover: 5m, tick: 10m}
prices: [{on_demand: 3.06, spot: 0.918}, {on_demand: 3, spot: 1}]
billing: ticks
conventions: skynomad
traces:
  - {market: regions, pools: [prices.csv], length: 11h, every: 20h}
)";

const std::string kScenarios = R"(name: whole
scenario: SOURCE/scenarios/no-interruption.yaml
set: {interruptions: [{lifetime: 1h, notice: none}], limit: 48h}
vary: {trainer.steps: [640, 1280], "interruptions[0].lifetime": [1h, 2h]}
compare: [{trainer.policy: epoch}, {trainer.policy: "daly:6h,on-notice"}]
seeds: [1-2, 7]
)";

const std::string kFailingJobSweep = R"(name: often
failing_job: {work: [100h, 20h], checkpoint: 5m, restart: 10m, mean: 6h, price: 3.06,
  intervals: [10m, exact*0.5, daly]}
seeds: 1-5
late_allowed: 0
)";

// The result is a valid file or messages. Any other exception fails the test.
TEST_P(Damage, IsReported) {
  const auto& [name, yaml] = GetParam();
  const std::string good = placed(yaml);
  const auto read = [&, job = std::string_view(name) == "Job"](const std::string& text) {
    job ? void(parse_advice_file(text, folder_ / "job.yaml"))
        : void(parse_sweep(text, folder_ / "s.yaml"));
  };
  EXPECT_NO_THROW(read(good));
  Stream stream = Streams(1).stream("sweep-fuzz", name);
  int told = 0;
  for (int round = 0; round < 400; ++round) {
    const std::string text =
        round % 2 == 0 ? scenario::with_other_words(good, stream) : scenario::mutated(good, stream);
    try {
      read(text);
    } catch (const scenario::ScenarioError& error) {
      EXPECT_NE(error.messages().front(), "") << text;
      ++told;
    }
  }
  EXPECT_GT(told, 200);
}

INSTANTIATE_TEST_SUITE_P(Of, Damage,
                         testing::Values(std::pair("Job", kJob), std::pair("Policies", kPolicies),
                                         std::pair("Conventions", kConventions),
                                         std::pair("Scenarios", kScenarios),
                                         std::pair("FailingJob", kFailingJobSweep)),
                         [](const auto& test) { return test.param.first; });

}  // namespace
}  // namespace sim::sweep
