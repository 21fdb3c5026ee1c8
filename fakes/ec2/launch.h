// What RunInstances, RequestSpotInstances, a spot fleet's launch specifications and launch
// templates have in common.
#pragma once

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

// A launch template's data: the same, of which nothing must be there.
sim::cloud::LaunchSpec read_launch_template(const Call& call,
                                            const api::ec2::RequestLaunchTemplateData& in);

// Throws InvalidGroupId.Malformed.
void check_groups(const sim::cloud::LaunchSpec& spec);
// Throws InvalidParameterValue for an instance profile that the account does not have, or that has
// no role.
void check_instance_profile(const Call& call, const std::string& name_or_arn);
// The name or the ARN that a request gives; InvalidParameterCombination for both.
template <class Named>
std::string name_or_arn_of(const Named& profile) {
  if (profile.arn && profile.name)
    throw sim::cloud::ApiError(
        "InvalidParameterCombination",
        "The parameter 'iamInstanceProfile.name' may not be used in combination with "
        "'iamInstanceProfile.arn'");
  return profile.arn ? *profile.arn : profile.name.value_or("");
}
// Sets EC2's default of the instance type if the request has none.
void fill_in_defaults(sim::cloud::LaunchSpec& spec);

// MetadataOptions of RunInstances, into a specification.
void read_metadata_options(const api::Opt<api::ec2::InstanceMetadataOptionsRequest>& options,
                           sim::cloud::LaunchSpec& spec);

// Fills a LaunchSpecification or SpotFleetLaunchSpecification of an answer from a LaunchSpec.
template <class Shown>
void show_launch(Shown& out, const Call& call, const sim::cloud::LaunchSpec& spec);

}  // namespace fakes::ec2
