// Functions for the requests of both spot fleets and EC2 fleets.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "api/ec2.h"
#include "fakes/action.h"

namespace fakes::ec2 {

// The terms that EC2's messages use for each kind of fleet.
struct FleetWords {
  std::string_view a_fleet;         // "a Spot Fleet"
  std::string_view invalid_config;  // the error code of an invalid configuration
};
inline constexpr FleetWords kSpotFleetWords{"a Spot Fleet", "InvalidSpotFleetRequestConfig"};
inline constexpr FleetWords kEc2FleetWords{"an EC2 Fleet", "InvalidFleetConfig"};

// The data of a template's version as a specification, without price, weight and priority. `Named`
// has an ID or a name, and a version.
template <class Named>
sim::cloud::LaunchSpec read_fleet_template(const Call& call, const FleetWords& words,
                                           const Named& named);
// Checks the specification that results from a template and its override, and fills in EC2's
// defaults.
void complete_fleet_launch(const Call& call, const FleetWords& words, sim::cloud::LaunchSpec& spec);

// InstancePoolsToUseCount of a fleet with this strategy. Throws the error of an invalid
// configuration if a strategy other than the lowest price is to use several pools.
int read_pools(const FleetWords& words, const api::Opt<std::int64_t>& given, std::string_view path,
               sim::cloud::AllocationStrategy strategy);

// OnDemandTargetCapacity of a spot fleet. Throws InvalidParameterValue unless it is a part of the
// target capacity.
double read_on_demand_target(const api::Opt<std::int64_t>& given, std::string_view path,
                             double target_capacity);

// The checks of read_rebalance().
std::optional<sim::cloud::CapacityRebalance> checked_rebalance(
    const FleetWords& words, const std::string& strategy,
    const api::Opt<std::int64_t>& delay_seconds, const std::string& type);
// Reads CapacityRebalance of a fleet of this type. Only a fleet of type maintain has it;
// launch-before-terminate needs a delay of 120 to 7200 s, and launch has none.
template <class Given>
std::optional<sim::cloud::CapacityRebalance> read_rebalance(const FleetWords& words,
                                                            const api::Opt<Given>& given,
                                                            const std::string& type) {
  if (!given || !given->replacement_strategy) return {};
  return checked_rebalance(words, *given->replacement_strategy, given->termination_delay, type);
}

// MaintenanceStrategies in an answer, if the fleet has them.
template <class Shown>
void show_rebalance(api::Opt<Shown>& shown, const sim::cloud::Fleet& fleet) {
  if (!fleet.rebalance) return;
  const auto& delay = fleet.rebalance->termination_delay;
  auto& out = shown.emplace().capacity_rebalance.emplace();
  out.replacement_strategy = delay ? "launch-before-terminate" : "launch";
  if (delay) out.termination_delay = static_cast<std::int64_t>(sim::seconds(*delay));
}

// The fleet's progress as the console shows it (EC2 API reference, SpotFleetRequestConfig,
// FleetData).
const char* activity_of(const sim::cloud::Fleet& fleet);

// Throws the error of an invalid configuration for a fleet whose validity has ended or ends before
// it begins. An instant fleet begins at once.
void check_validity(const Call& call, const FleetWords& words, const sim::cloud::Fleet& fleet);
// At the end of its validity a fleet stops launching. Its instances are terminated if the fleet is
// configured so.
void expire_at_end(const Call& call, const sim::cloud::FleetId& id);

// A price as requests write it: "0.918", "3".
api::Opt<std::string> shown_price(const std::optional<sim::market::Usd>& price);

}  // namespace fakes::ec2
