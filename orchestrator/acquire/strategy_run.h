// `submit --strategy`: the operator rents one instance at a time, tick by tick, as an acquisition
// strategy of policies/ decides.
#pragma once

#include <functional>
#include <string>

#include "orchestrator/acquire/strategy_plan.h"
#include "orchestrator/context.h"
#include "orchestrator/failure.h"

namespace spotrun {

// Runs until the job is over, as wait_for_job does. The state of a run that has begun is read from
// EC2: its beginning and its finished work from the volume's tags, the rented instances from their
// own tags. So the process may be ended and started again at any time. `rented` gets each new
// instance's ID.
ExitCode run_strategy(const Context& context, const Job& job, const StrategyPlan& plan,
                      const std::function<void(const std::string& instance_id)>& rented);

}  // namespace spotrun
