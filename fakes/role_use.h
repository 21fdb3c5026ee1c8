// Permissions for what AWS's services do for a customer. FIS's experiments and spot fleets act with
// a role that they assume (IAM User Guide, "Create a role to delegate permissions to an AWS
// service"). An Auto Scaling group needs the permissions of the caller that names its template.
#pragma once

#include <span>
#include <string>

#include "api/form.h"
#include "fakes/action.h"
#include "fakes/authorisation/context.h"
#include "fakes/backend.h"

namespace fakes {

// True if the role exists and its trust policy names the service ("fis.amazonaws.com"), or if IAM
// does not decide. Logs iam.denied otherwise.
bool can_assume(Backend& backend, const std::string& service, const std::string& role_arn);

// A session of a role that a service has assumed.
struct RoleSession {
  std::string service;  // its name in the log
  std::string role_arn;
  std::string name;
};

// True if the role's policies allow all these permissions, or if IAM does not decide. Logs
// iam.denied otherwise.
bool is_permitted(const authorisation::RequestContext& context, const RoleSession& session,
                  std::span<const authorisation::Permission> permissions);

// True if the role may launch an instance with these parameters of RunInstances
// (ec2/launch_parameters.h), or if IAM does not decide. Logs iam.denied otherwise.
bool may_launch(Backend& backend, const RoleSession& session, const api::Parameters& launch);
// The same for the caller of an action.
bool may_launch(const Call& call, const api::Parameters& launch);

}  // namespace fakes
