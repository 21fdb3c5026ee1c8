// A launch as the parameters of RunInstances, from which IAM decides on it (EC2 User Guide,
// "Resource-level permissions for launching instances").
#pragma once

#include <optional>

#include "api/form.h"
#include "fakes/backend.h"

namespace fakes::ec2 {

// The parameters of RunInstances with a launch template, completed with the template's (for
// Service::completed). Empty for other requests, and if the template does not exist: the launch is
// refused anyway.
std::optional<api::Parameters> completed_launch(Backend& backend, const api::Operation& operation,
                                                const void* request);
// The parameters with which a fleet or an Auto Scaling group launches an instance: those of its
// launch template, and those that differ from it.
api::Parameters parameters_of_launch(Backend& backend, const sim::cloud::LaunchSpec& spec,
                                     sim::cloud::Lifecycle lifecycle);
// The parameters of RunInstances that come from the launch template of these parameters. Empty: the
// request names no template, or none that exists.
std::optional<api::Parameters> template_parameters(Backend& backend,
                                                   const api::Parameters& parameters);

}  // namespace fakes::ec2
