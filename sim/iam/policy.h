// Policies in the form in which they decide: documents whose statements can be matched (IAM User
// Guide, "IAM JSON policy element reference").
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/iam/condition.h"

namespace sim::iam {

// A principal that a statement of a trust or bucket policy names.
struct PrincipalPattern {
  std::string type;   // "AWS", "Service", "Federated", "CanonicalUser"; "*" for anybody
  std::string value;  // an ARN, an account's ID, a service's name or "*"
};

// A statement of a policy. It matches if its principals, actions, resources and conditions match.
struct Statement {
  bool allows = true;
  bool all_actions_but = false;                   // NotAction
  std::vector<std::string> actions = {};          // in lower case
  bool all_resources_but = false;                 // NotResource
  std::vector<std::string> resources = {};        // none in a trust policy
  bool all_principals_but = false;                // NotPrincipal
  std::vector<PrincipalPattern> principals = {};  // none in an identity policy
  std::vector<Condition> conditions = {};         // all must hold
  std::string sid = {};
};

// The statements of one document.
struct CompiledPolicy {
  bool has_variables = false;  // version 2012-10-17 or later
  std::vector<Statement> statements = {};
};

// `document` must have passed a check of policy_document.h. Throws ApiError
// MalformedPolicyDocument otherwise.
CompiledPolicy compile_policy(const std::string& document);

// A question to policies: one action on one resource.
struct Query {
  std::string_view action;     // "ec2:AttachVolume"
  std::string_view resource;   // an ARN or "*"
  const ContextKeys& context;  // values of condition keys
};

// True if the statement's action, resource and conditions match. Principals are not compared.
bool matches(const Statement& statement, const Query& query, bool has_variables);
bool names_action(const Statement& statement, std::string_view action);

}  // namespace sim::iam
