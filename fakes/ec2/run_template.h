// RunInstances with a launch template.
#pragma once

#include "api/ec2.h"
#include "fakes/action.h"

namespace fakes::ec2 {

// Completes the request with the template's members (EC2 API reference, RunInstances: "any
// parameters that you specify in RunInstances override the same parameters in the launch
// template").
api::ec2::RunInstancesRequest with_template(const Call& call,
                                            const api::ec2::RunInstancesRequest& request);

// Stores the template in the specification, because EC2 tags the instances with it.
void name_template(const Call& call, const api::ec2::LaunchTemplateSpecification& named,
                   sim::cloud::LaunchSpec& spec);

}  // namespace fakes::ec2
