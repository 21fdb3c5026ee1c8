// Attribute-based instance type selection (EC2 User Guide, "Specify attributes for instance type
// selection for EC2 Fleet or Spot Fleet"): a request names attributes, and EC2 chooses the types.
// Types and attributes are as in DescribeInstanceTypes.
#pragma once

#include <string>
#include <vector>

#include "api/ec2.h"
#include "fakes/action.h"
#include "fakes/ec2/spot/fleet_parts.h"
#include "sim/cloud/error.h"
#include "sim/market/instance_types.h"

namespace fakes::ec2 {

// The parts of a fleet for which types are chosen. A type must be cheap enough for each of them.
struct ChosenFor {
  bool spot = true, on_demand = false;
};
// Those of a fleet with these target capacities. Without any it may get spot instances later.
ChosenFor parts_of(double total, double on_demand);

// The types with these attributes, sorted by name. Prices are not compared. `Asked` is
// InstanceRequirementsRequest or InstanceRequirements. Throws MissingParameter,
// InvalidParameterCombination and InvalidParameterValue.
template <class Asked>
std::vector<const sim::market::InstanceType*> types_with(const Call& call, const Asked& asked);

// The types that GetInstanceTypesFromInstanceRequirements lists: those with the attributes of an
// object `asked` that also names architectures and virtualization types. Throws as types_with().
template <class Asked>
std::vector<const sim::market::InstanceType*> listed_types(const Call& call, const Asked& asked);

// The names of those types that price protection permits now, for images of x86_64. A part of spot
// instances has only types with a spot price. Throws also the error of an invalid configuration, if
// no type is left.
template <class Asked>
std::vector<std::string> fleet_types_with(const Call& call, const FleetWords& words,
                                          const Asked& asked, ChosenFor parts);

// The same attributes, as DescribeFleets shows them.
api::ec2::InstanceRequirements shown_requirements(
    const api::ec2::InstanceRequirementsRequest& asked);

// An override has either a type or attributes. Makes one specification for each type.
template <class Override>
std::vector<sim::cloud::LaunchSpec> for_each_type(const Call& call, const FleetWords& words,
                                                  const sim::cloud::LaunchSpec& spec,
                                                  const Override& in, ChosenFor parts) {
  if (!in.instance_requirements) return {spec};
  if (in.instance_type)
    throw sim::cloud::ApiError(std::string(words.invalid_config),
                               "An override has either InstanceType or InstanceRequirements.");
  std::vector<sim::cloud::LaunchSpec> all;
  for (const std::string& type : fleet_types_with(call, words, *in.instance_requirements, parts)) {
    all.push_back(spec);
    all.back().instance_type = type;
  }
  return all;
}

}  // namespace fakes::ec2
