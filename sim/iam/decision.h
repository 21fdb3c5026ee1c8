// Decides whether policies permit an action (IAM User Guide, "Policy evaluation logic"). An
// explicit Deny of any policy wins. Without an Allow, the action is denied.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sim/iam/caller.h"
#include "sim/iam/policy.h"

namespace sim::iam {

// A policy with the name by which results refer to it.
struct NamedPolicy {
  std::string name, type;  // "ec2", "user"; type as SimulatePrincipalPolicy's SourcePolicyType
  std::shared_ptr<const CompiledPolicy> policy;
};

// The policies that decide about a caller.
struct PolicySet {
  bool all_allowed = false;  // root
  std::vector<NamedPolicy> identity = {};
  std::vector<NamedPolicy> boundary = {};  // if there are some, one must allow, too
  std::vector<NamedPolicy> session = {};   // if there are some, one must allow, too
};

// The result for one query, with the statement that decided.
struct Decision {
  enum class Reason { kAllowed, kImplicit, kExplicit, kBoundary, kSession, kTrust };
  Reason reason = Reason::kImplicit;
  const NamedPolicy* policy = nullptr;   // the policy that allows, or denies explicitly
  const Statement* statement = nullptr;  // the statement of that policy

  bool allowed() const { return reason == Reason::kAllowed; }
};
std::string_view name_of(Decision::Reason reason);  // "implicit", as iam.denied has it

// Decides about a query. `of_resource` is the resource's own policy, such as a bucket's; null: it
// has none. The caller and the resource belong to one account, so one Allow of either side
// suffices.
Decision decide(const PolicySet& policies, const Query& query, const Caller& caller,
                const CompiledPolicy* of_resource = nullptr);

// How a statement of a resource's policy names the caller.
enum class Named { kNot, kByAccount, kItself };
Named named_by(const Statement& statement, const Caller& caller);

// Decides whether a trust policy lets the caller assume the role. If an Allow names only the
// account, one of the caller's own policies must allow the action as well.
Decision decide_trust(const CompiledPolicy& trust, const PolicySet& policies, const Query& query,
                      const Caller& caller);
// True if a trust policy lets the service ("ec2.amazonaws.com") assume the role.
bool trusts_service(const std::string& trust_policy, std::string_view service);

}  // namespace sim::iam
