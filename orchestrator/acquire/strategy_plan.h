// What `submit --strategy` is to do: the strategy, the job as it sees it, and the pools to rent in.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "orchestrator/aws/ec2.h"
#include "orchestrator/job/job.h"
#include "policies/acquisition/policy.h"

namespace spotrun {

// From one look at the job to the next; a spot instance that EC2 has marked is waited for. So much
// later than its tick's begin a decision may come.
inline constexpr Duration kBetweenLooks{30'000}, kLongestNotice{180'000};

// As the command line has them: durations as "48h".
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
  double speed = 1;      // of training, where the slowest type's is 1
};

struct StrategyPlan {
  std::string strategy;
  // The changeover is one without a move, the deadline by the longest delay of a decision earlier.
  policies::AcquisitionJob job;
  std::chrono::nanoseconds move;  // what another zone's instance takes longer
  std::vector<StrategyPool> pools;
  bool anew = false;  // the deadline counts from now, also where a run has begun
};

// `fleet` has passed check_on_demand(); of it count the launch specifications, each zone of which
// is a pool. Throws Failure(kBadInput); `file` is the fleet's, for messages.
StrategyPlan read_plan(const StrategyOptions& options, const nlohmann::json& fleet,
                       const std::string& file, const Job& job);

}  // namespace spotrun
