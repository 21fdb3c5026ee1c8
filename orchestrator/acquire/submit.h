// Commands of the operator that start a job and wait for its end.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "orchestrator/context.h"
#include "orchestrator/failure.h"
#include "orchestrator/job/job.h"

namespace spotrun {

// Requests the spot fleet, as returned by read_fleet(). Each launch specification without user data
// gets the job's, and the request gets a new ClientToken. The job's earlier outcome is deleted.
// Returns the fleet's ID. Throws Failure(kBadInput), ApiError; `fleet_file` is for messages.
std::string submit_fleet(const Context& context, aws::Client& client, const Job& job,
                         nlohmann::json fleet, const std::string& fleet_file);

// Runs one on-demand instance with the same user data. `where` is TYPE/ZONE; the job's `prepare`
// has the other properties. Returns the instance's ID.
std::string submit_on_demand(const Context& context, const Job& job, const std::string& where);

// Removes the outcome and the strategy's run from the volume's tags, so that the job can start
// again. Does nothing if the volume does not exist yet.
void forget_outcome(const Context& context, const Job& job);
// Removes the tags of a strategy's run (tags.h) from the volume.
void forget_run(const Context& context, const aws::Volume& volume);

// The job's outcome from the volume's tags: kDone, kJobFailed, or empty while the job runs. Logs
// it, too.
std::optional<ExitCode> outcome_of(const Context& context, const aws::Volume& volume);
// The same, for a job whose volume must be found first.
std::optional<ExitCode> job_status(const Context& context, const Job& job);

// Polls every 30 s until the job is over.
ExitCode wait_for_job(const Context& context, const Job& job);

}  // namespace spotrun
