// The plan of `submit --strategy`: the strategy, the job in its terms, and the pools to rent in.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "orchestrator/aws/ec2.h"
#include "orchestrator/job/job.h"
#include "policies/acquisition/policy.h"

namespace spotrun {

// The interval between polls of the job, and the longest wait for a spot instance that EC2 has
// marked for interruption. A decision may be late by their sum.
inline constexpr Duration kBetweenLooks{30'000}, kLongestNotice{180'000};

// The options of the command line. Durations are texts such as "48h".
struct StrategyOptions {
  std::string strategy;  // empty: none
  std::string work, deadline;
  std::string tick = "10m", changeover = "10m", move = "30m";
  bool anew = false;
};

// An instance type in a zone, from a launch specification.
struct StrategyPool {
  aws::NewInstance instance;
  double on_demand = 0;  // USD an hour
  double speed = 1;      // training speed relative to the slowest type
};

struct StrategyPlan {
  std::string strategy;
  // Its changeover excludes a move. Its deadline is earlier by the longest delay of a decision.
  policies::AcquisitionJob job;
  std::chrono::nanoseconds move;  // additional time for an instance in another zone
  std::vector<StrategyPool> pools;
  bool anew = false;  // count the deadline from now, even if a run has begun
};

// `fleet` must have passed check_on_demand(). Each zone of its launch specifications is a pool.
// Throws Failure(kBadInput); `file` is the fleet's, for messages.
StrategyPlan read_plan(const StrategyOptions& options, const nlohmann::json& fleet,
                       const std::string& file, const Job& job);

}  // namespace spotrun
