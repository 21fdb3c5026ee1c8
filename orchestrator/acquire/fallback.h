// Falls back to on-demand if spot does not suffice: the operator watches the fleet and replaces it.
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "orchestrator/context.h"
#include "orchestrator/failure.h"
#include "orchestrator/job/job.h"
#include "policies/acquisition/policy.h"

namespace spotrun {

// The rules fallback-failures and fallback-waiting of policies/acquisition. Each poll of the fleet
// is a tick.
class Fallback {
 public:
  static constexpr Duration kTick{30'000};

  // `failures` is a number such as "2", `waiting` a duration such as "30m". An empty text means no
  // such rule. Throws Failure(kBadInput).
  Fallback(const std::string& after_failures, const std::string& after_waiting);

  bool has_rules() const { return !rules_.empty(); }
  // Receives the fleet's present instances. Returns true if the job must continue on demand. A tick
  // without a poll repeats the state of the last poll.
  bool look(Time now, const std::vector<std::string>& instances);

 private:
  void add(const std::string& option, const std::string& kind, const std::string& argument);
  bool tick(policies::Rental now, bool spot);

  std::vector<std::unique_ptr<policies::AcquisitionPolicy>> rules_;
  Time begin_{};
  std::int64_t ticks_ = 0;
  std::vector<std::string> seen_;  // the instances at the last tick
};

// Watches the fleet and the job until the job is over, like wait_for_job. If a rule says so, it
// cancels the fleet and runs one on-demand instance of the same kind in the volume's zone. It
// retries while EC2 has no capacity, and replaces an instance that ends before the job. `fleet`
// must have passed check_on_demand().
ExitCode watch_fleet(const Context& context, const Job& job, const nlohmann::json& fleet,
                     const std::string& fleet_id, Fallback fallback);

}  // namespace spotrun
