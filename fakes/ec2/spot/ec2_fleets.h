// The descriptions of EC2 fleets in answers of several actions (fleets.cpp).
#pragma once

#include "api/ec2.h"
#include "fakes/action.h"

namespace fakes::ec2 {

// Throws InvalidFleetId.Malformed, InvalidFleetId.NotFound.
const sim::cloud::Fleet& find_ec2_fleet(const Call& call, const std::string& id);

// The launches and errors of an instant fleet. `Error` and `Instances` are types of CreateFleet or
// of DescribeFleets.
template <class Error>
api::List<Error> shown_errors(const sim::cloud::Fleet& fleet);
template <class Instances>
api::List<Instances> shown_instances(const Call& call, const sim::cloud::Fleet& fleet);

}  // namespace fakes::ec2
