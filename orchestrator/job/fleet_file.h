// The fleet that `submit` requests: a SpotFleetRequestConfig file, and what options change in it.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "orchestrator/aws/ec2.h"
#include "orchestrator/job/job.h"

namespace spotrun {

// EC2 takes it with launch templates only.
inline constexpr std::string_view kPrioritized = "capacityOptimizedPrioritized";

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

// USD an hour, of the job's profiles. Throws Failure(kBadInput), which begins with `option`, where
// the job file does not say it.
double on_demand_price(const Job& job, const std::string& type, const std::string& option);

// Throws Failure(kBadInput) for a fleet of which an instance could not be made alike without it.
void check_on_demand(const nlohmann::json& fleet, const std::string& file);
// Of "us-west-2a, us-west-2b"; none where the specification leaves it to EC2 or to a subnet.
std::vector<std::string> zones_of(const nlohmann::json& specification);
// The on-demand instance like a launch specification's, in this zone.
aws::NewInstance instance_like(const nlohmann::json& specification, const Job& job,
                               const std::string& zone);
// The on-demand instance that does the work of the fleet's: of the first launch specification that
// may be in `zone`, else of the first, in a zone of its own.
aws::NewInstance on_demand_instance(const nlohmann::json& fleet, const Job& job,
                                    const std::string& zone);

}  // namespace spotrun
