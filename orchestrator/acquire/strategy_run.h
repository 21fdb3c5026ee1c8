// `submit --strategy`: an operator that rents for the job what an acquisition strategy of policies/
// says, tick by tick, one instance at a time.
#pragma once

#include <functional>
#include <string>

#include "orchestrator/acquire/strategy_plan.h"
#include "orchestrator/context.h"
#include "orchestrator/failure.h"

namespace spotrun {

// Until the job is over, as wait_for_job does. All that it must know of a run that has begun it
// reads from EC2: since when it runs and what is done from the volume's tags, what is rented from
// the instances'. So it may be ended and called again: it goes on. `rented` gets each new
// instance's ID.
ExitCode run_strategy(const Context& context, const Job& job, const StrategyPlan& plan,
                      const std::function<void(const std::string& instance_id)>& rented);

}  // namespace spotrun
