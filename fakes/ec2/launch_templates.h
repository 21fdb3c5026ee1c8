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

// What a version was given, as the request said it.
api::ec2::RequestLaunchTemplateData given_data(const sim::cloud::LaunchTemplateVersion& version);

}  // namespace fakes::ec2
