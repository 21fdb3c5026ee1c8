// Further commands of the operator: starting a job and waiting for its end.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "orchestrator/context.h"
#include "orchestrator/failure.h"
#include "orchestrator/job/job.h"

namespace spotrun {

// Requests the spot fleet (read_fleet() gives it), with user data in each launch specification that
// has none, a new ClientToken, and the job's earlier outcome forgotten. Returns the fleet's ID.
// Throws Failure(kBadInput), ApiError; `fleet_file` is for messages.
std::string submit_fleet(const Context& context, aws::Client& client, const Job& job,
                         nlohmann::json fleet, const std::string& fleet_file);

// Runs one on-demand instance with the same user data. `where` is TYPE/ZONE; the job's prepare has
// the other properties. Returns its ID.
std::string submit_on_demand(const Context& context, const Job& job, const std::string& where);

// Removes the outcome and the strategy's run from a job that starts again. If the volume does not
// exist yet, nothing happens.
void forget_outcome(const Context& context, const Job& job);
// Removes the tags of a strategy's run (tags.h) from the volume.
void forget_run(const Context& context, const aws::Volume& volume);

// The job's outcome in the volume's tags: kDone, kJobFailed, or empty while it is not over. Logs
// it, too.
std::optional<ExitCode> outcome_of(const Context& context, const aws::Volume& volume);
// The same of the job's volume, which is looked for.
std::optional<ExitCode> job_status(const Context& context, const Job& job);

// Polls every 30 s until the job is over.
ExitCode wait_for_job(const Context& context, const Job& job);

}  // namespace spotrun
