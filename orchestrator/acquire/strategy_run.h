// `submit --strategy`: the operator rents one instance at a time. In each tick an acquisition
// strategy of policies/ decides which.
#pragma once

#include <functional>
#include <string>

#include "orchestrator/acquire/strategy_plan.h"
#include "orchestrator/context.h"
#include "orchestrator/failure.h"

namespace spotrun {

// Runs until the job is over, as wait_for_job does. If a run has begun, its state is read from EC2:
// its beginning and its finished work from the volume's tags, the rented instances from their own
// tags. So the process may be stopped and started again at any time. `rented` gets the ID of each
// new instance.
ExitCode run_strategy(const Context& context, const Job& job, const StrategyPlan& plan,
                      const std::function<void(const std::string& instance_id)>& rented);

}  // namespace spotrun
