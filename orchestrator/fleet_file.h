// The fleet that `submit` requests: a SpotFleetRequestConfig file, and what options change in it.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "orchestrator/aws/ec2.h"
#include "orchestrator/job.h"

namespace spotrun {

struct FleetOptions {
  std::string allocation_strategy;  // EC2's name; empty: the file's
  // USD an hour and unit of capacity ("0.50"), or a share of the on-demand price ("40%"), for all
  // launch specifications; empty: the file's.
  std::string max_price;
};

// The configuration in a file, as the CLI's --spot-fleet-request-config takes it, or one level down
// as in --cli-input-json's skeleton. A share needs the on-demand price of each launch
// specification's type from the job's profiles. Throws Failure(kBadInput); `file` is for messages.
nlohmann::json read_fleet(const std::string& text, const std::string& file, const Job& job,
                          const FleetOptions& options);

// Throws Failure(kBadInput) for a fleet of which an on-demand instance could not be made alike.
void check_on_demand(const nlohmann::json& fleet, const std::string& file);
// The on-demand instance that does the work of the fleet's: of the first launch specification that
// may be in `zone`, else of the first, in a zone of its own.
aws::NewInstance on_demand_instance(const nlohmann::json& fleet, const Job& job,
                                    const std::string& zone);

}  // namespace spotrun
