// The roles that AWS's services assume for a customer: of FIS's experiments and of spot fleets (IAM
// User Guide, "Create a role to delegate permissions to an AWS service").
#pragma once

#include <map>
#include <string>

#include "fakes/backend.h"
#include "sim/iam/condition.h"

namespace fakes {

// True if the role exists and its trust policy names the service ("fis.amazonaws.com"), or if IAM
// does not decide. Logs iam.denied otherwise.
bool can_assume(Backend& backend, const std::string& service, const std::string& role_arn);

// An action that a service performs with a role that it can assume.
struct RoleUse {
  std::string service;  // the caller in the log
  std::string role_arn;
  std::string session;         // the name of the role's session
  std::string action;          // "ec2:TerminateInstances"
  std::string resource;        // an ARN or "*"
  std::string passed_to = {};  // of iam:PassRole: the service that gets the role
  std::map<std::string, sim::iam::Values, std::less<>> keys = {};  // condition keys in lower case
};

// True if the role's policies allow the action, or if IAM does not decide. Logs iam.denied
// otherwise.
bool is_permitted(Backend& backend, const RoleUse& use);

}  // namespace fakes
