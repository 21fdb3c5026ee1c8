#pragma once

#include "fakes/ec2/call.h"

namespace fakes::ec2 {

// LaunchTemplateId or LaunchTemplateName; throws InvalidLaunchTemplate*.NotFound for one that is
// not there, MissingParameter for neither, InvalidParameterCombination for both.
const sim::cloud::LaunchTemplate& find_launch_template(const Call& call, const Parameters& in);

// "1", "$Latest" or "$Default": throws InvalidLaunchTemplateId.VersionNotFound for another version,
// as a launch template has one here.
void check_version(const sim::cloud::LaunchTemplate& launch_template, const std::string& version);

}  // namespace fakes::ec2
