#pragma once

#include <string>

#include "api/ec2.h"
#include "fakes/action.h"

namespace fakes::ec2 {

// Throws InvalidLaunchTemplate*.NotFound if it does not exist, MissingParameter without ID and
// name, InvalidParameterCombination with both.
const sim::cloud::LaunchTemplate& find_launch_template(const Call& call,
                                                       const api::Opt<std::string>& id,
                                                       const api::Opt<std::string>& name);

// The data of a version, as the request stated it.
api::ec2::RequestLaunchTemplateData given_data(const sim::cloud::LaunchTemplateVersion& version);

}  // namespace fakes::ec2
