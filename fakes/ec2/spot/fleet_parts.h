// What requests of spot fleets and of EC2 fleets have in common.
#pragma once

#include <string>
#include <string_view>

#include "api/ec2.h"
#include "fakes/action.h"

namespace fakes::ec2 {

// What EC2 calls each kind of fleet.
struct FleetWords {
  std::string_view a_fleet;         // "a Spot Fleet"
  std::string_view invalid_config;  // the error code of a configuration that cannot be
};
inline constexpr FleetWords kSpotFleetWords{"a Spot Fleet", "InvalidSpotFleetRequestConfig"};
inline constexpr FleetWords kEc2FleetWords{"an EC2 Fleet", "InvalidFleetConfig"};

// The version's data as a specification without price, weight and priority. `Named`: an ID or a
// name, and a version.
template <class Named>
sim::cloud::LaunchSpec read_fleet_template(const Call& call, const FleetWords& words,
                                           const Named& named);
// Checks what the template and its override leave open, and fills in EC2's defaults.
void complete_fleet_launch(const Call& call, const FleetWords& words, sim::cloud::LaunchSpec& spec);

// The fleet's progress as the console shows it (EC2 API reference, SpotFleetRequestConfig,
// FleetData).
const char* activity_of(const sim::cloud::Fleet& fleet);

// At the end of its validity a fleet launches no more, and its instances go if so configured.
void expire_at_end(const Call& call, const sim::cloud::FleetId& id);

// "0.918": as prices stand in a request.
api::Opt<std::string> shown_price(const std::optional<sim::market::Usd>& price);

}  // namespace fakes::ec2
