#pragma once

#include <string>

#include "api/ec2.h"
#include "fakes/action.h"

namespace fakes::ec2 {

// Throws InvalidLaunchTemplate*.NotFound for one that is not there, MissingParameter for neither ID
// nor name, InvalidParameterCombination for both.
const sim::cloud::LaunchTemplate& find_launch_template(const Call& call,
                                                       const api::Opt<std::string>& id,
                                                       const api::Opt<std::string>& name);

// "1", "$Latest" or "$Default": throws InvalidLaunchTemplateId.VersionNotFound for another version,
// as a launch template has one here.
void check_version(const sim::cloud::LaunchTemplate& launch_template, const std::string& version);

}  // namespace fakes::ec2
