// The fleet that `submit` requests: a SpotFleetRequestConfig file, with changes by options.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "orchestrator/aws/ec2.h"
#include "orchestrator/job/job.h"

namespace spotrun {

// A strategy that EC2 accepts only with launch templates.
inline constexpr std::string_view kPrioritized = "capacityOptimizedPrioritized";

struct FleetOptions {
  std::string allocation_strategy;  // EC2's name; empty: the file's
  // USD an hour and unit of capacity ("0.50"), or a share of the on-demand price ("40%"), for all
  // launch specifications; empty: the file's.
  std::string max_price;
};

// The configuration in a file, in the form of the CLI's --spot-fleet-request-config, or one level
// deeper as in --cli-input-json's skeleton. A price as a share needs the on-demand price of each
// specification's type in the job's profiles. Throws Failure(kBadInput); `file` is for messages.
nlohmann::json read_fleet(const std::string& text, const std::string& file, const Job& job,
                          const FleetOptions& options);

// The price from the job's profiles, USD an hour. Throws Failure(kBadInput) with a message that
// begins with `option` if the job file has none.
double on_demand_price(const Job& job, const std::string& type, const std::string& option);

// Throws Failure(kBadInput) if an on-demand instance cannot be made from the fleet's
// specifications.
void check_on_demand(const nlohmann::json& fleet, const std::string& file);
// The zones in "us-west-2a, us-west-2b". Empty if the specification leaves the zone to EC2 or to a
// subnet.
std::vector<std::string> zones_of(const nlohmann::json& specification);
// An on-demand instance with the properties of a launch specification, in this zone.
aws::NewInstance instance_like(const nlohmann::json& specification, const Job& job,
                               const std::string& zone);
// The on-demand instance that replaces the fleet's instance, from the first launch specification
// that allows `zone`. If none does, it is the first specification in a zone of its own.
aws::NewInstance on_demand_instance(const nlohmann::json& fleet, const Job& job,
                                    const std::string& zone);

}  // namespace spotrun
