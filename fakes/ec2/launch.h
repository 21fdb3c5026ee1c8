// Reads launch specifications. RunInstances, RequestSpotInstances, spot fleets and launch templates
// use these functions.
#pragma once

#include <string>
#include <vector>

#include "api/ec2.h"
#include "fakes/action.h"

namespace fakes::ec2 {

// Reads launch specifications without price, weight and tags. A list of zones or subnets
// ("us-west-2a, us-west-2b") gives one LaunchSpec per entry. Throws ApiError.
std::vector<sim::cloud::LaunchSpec> read_launch(const Call& call,
                                                const api::ec2::RunInstancesRequest& in);
std::vector<sim::cloud::LaunchSpec> read_launch(const Call& call,
                                                const api::ec2::RequestSpotLaunchSpecification& in);
std::vector<sim::cloud::LaunchSpec> read_launch(const Call& call,
                                                const api::ec2::SpotFleetLaunchSpecification& in);

// Reads a launch template's data, in which every member is optional.
sim::cloud::LaunchSpec read_launch_template(const Call& call,
                                            const api::ec2::RequestLaunchTemplateData& in);

// Throws InvalidGroupId.Malformed.
void check_groups(const sim::cloud::LaunchSpec& spec);
// Throws InvalidParameterValue if the account does not have the instance profile, or if the profile
// has no role.
void check_instance_profile(const Call& call, const std::string& name_or_arn);
// The name or the ARN in a request. Throws InvalidParameterCombination if both are given.
template <class Named>
std::string name_or_arn_of(const Named& profile) {
  if (profile.arn && profile.name)
    throw sim::cloud::ApiError(
        "InvalidParameterCombination",
        "The parameter 'iamInstanceProfile.name' may not be used in combination with "
        "'iamInstanceProfile.arn'");
  return profile.arn ? *profile.arn : profile.name.value_or("");
}
// Sets EC2's default instance type if the request has none.
void fill_in_defaults(sim::cloud::LaunchSpec& spec);

// Whether instances of this type have CPU credits.
bool has_credits(const Call& call, const std::string& instance_type);

// Reads MetadataOptions of RunInstances into a specification.
void read_metadata_options(const api::Opt<api::ec2::InstanceMetadataOptionsRequest>& options,
                           sim::cloud::LaunchSpec& spec);

// Writes a LaunchSpec into the LaunchSpecification or SpotFleetLaunchSpecification of an answer.
template <class Shown>
void show_launch(Shown& out, const Call& call, const sim::cloud::LaunchSpec& spec);

}  // namespace fakes::ec2
