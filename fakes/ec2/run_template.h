// RunInstances with a launch template.
#pragma once

#include "api/ec2.h"
#include "fakes/action.h"

namespace fakes::ec2 {

// Takes members that the request does not have from the template (EC2 API reference, RunInstances:
// "any parameters that you specify in RunInstances override the same parameters in the launch
// template").
api::ec2::RunInstancesRequest with_template(const Call& call,
                                            const api::ec2::RunInstancesRequest& request);

// Into the specification: what EC2 tags its instances with.
void name_template(const Call& call, const api::ec2::LaunchTemplateSpecification& named,
                   sim::cloud::LaunchSpec& spec);

}  // namespace fakes::ec2
