#include "sim/iam/decision.h"

#include <algorithm>

namespace sim::iam {
namespace {

// Finds the first statement with this effect that matches, in the given policies.
Decision find(const std::vector<NamedPolicy>& policies, const Query& query, bool allows) {
  for (const NamedPolicy& named : policies)
    for (const Statement& statement : named.policy->statements)
      if (statement.allows == allows && matches(statement, query, named.policy->has_variables))
        return {allows ? Decision::Reason::kAllowed : Decision::Reason::kExplicit, &named,
                &statement};
  return {};
}

bool allows(const std::vector<NamedPolicy>& policies, const Query& query) {
  return policies.empty() || find(policies, query, true).allowed();
}

// The decision of the resource's own policy about the caller.
Decision of_resource(const CompiledPolicy* policy, const Query& query, const Caller& caller) {
  Decision found;
  if (policy == nullptr) return found;
  for (const Statement& statement : policy->statements) {
    if (named_by(statement, caller) == Named::kNot) continue;
    if (!matches(statement, query, policy->has_variables)) continue;
    if (!statement.allows) return {Decision::Reason::kExplicit, nullptr, &statement};
    found = {Decision::Reason::kAllowed, nullptr, &statement};
  }
  return found;
}

bool is_account(const PrincipalPattern& pattern, const Caller& caller) {
  return pattern.value == caller.account ||
         pattern.value == "arn:aws:iam::" + caller.account + ":root";
}

Named named_by(const PrincipalPattern& pattern, const Caller& caller) {
  if (pattern.value == "*") return Named::kItself;
  const bool is_service = caller.kind == Caller::Kind::kService;
  if (is_service || pattern.type == "Service")
    return is_service && pattern.type == "Service" && pattern.value == caller.name ? Named::kItself
                                                                                   : Named::kNot;
  if (caller.kind == Caller::Kind::kWebIdentity)
    return pattern.type == "Federated" && pattern.value == caller.name ? Named::kItself
                                                                       : Named::kNot;
  if (pattern.type != "AWS") return Named::kNot;
  if (is_account(pattern, caller)) return Named::kByAccount;
  if (pattern.value == caller.arn) return Named::kItself;
  // A role's ARN stands for all its sessions.
  const bool is_role = caller.kind == Caller::Kind::kRole &&
                       pattern.value.starts_with("arn:aws:iam::" + caller.account + ":role/");
  const bool same = is_role && pattern.value.substr(pattern.value.rfind('/') + 1) == caller.name;
  return same ? Named::kItself : Named::kNot;
}

}  // namespace

std::string_view name_of(Decision::Reason reason) {
  switch (reason) {
    case Decision::Reason::kAllowed:
      return "allowed";
    case Decision::Reason::kImplicit:
      return "implicit";
    case Decision::Reason::kExplicit:
      return "explicit";
    case Decision::Reason::kBoundary:
      return "boundary";
    case Decision::Reason::kSession:
      return "session";
    case Decision::Reason::kTrust:
      return "trust";
  }
  return "";
}

Named named_by(const Statement& statement, const Caller& caller) {
  Named best = Named::kNot;
  for (const PrincipalPattern& pattern : statement.principals)
    best = std::max(best, named_by(pattern, caller));
  if (!statement.all_principals_but) return best;
  // An account in NotPrincipal excepts its root, but none of its users and roles (IAM User Guide,
  // "AWS JSON policy elements: NotPrincipal").
  const bool is_excepted =
      best == Named::kItself || (best == Named::kByAccount && caller.kind == Caller::Kind::kRoot);
  return is_excepted ? Named::kNot : Named::kItself;
}

Decision decide(const PolicySet& policies, const Query& query, const Caller& caller,
                const CompiledPolicy* resource_policy) {
  for (const auto* some : {&policies.identity, &policies.boundary, &policies.session})
    if (const Decision denied = find(*some, query, false);
        denied.reason == Decision::Reason::kExplicit)
      return denied;
  const Decision resource = of_resource(resource_policy, query, caller);
  if (resource.reason == Decision::Reason::kExplicit || policies.all_allowed)
    return resource.reason == Decision::Reason::kExplicit
               ? resource
               : Decision{.reason = Decision::Reason::kAllowed};
  const Decision own = find(policies.identity, query, true);
  if (!own.allowed()) return resource;
  if (!allows(policies.boundary, query)) return {Decision::Reason::kBoundary};
  if (!allows(policies.session, query)) return {Decision::Reason::kSession};
  return own;
}

Decision decide_trust(const CompiledPolicy& trust, const PolicySet& policies, const Query& query,
                      const Caller& caller) {
  Named named = Named::kNot;
  for (const Statement& statement : trust.statements) {
    const Named by = named_by(statement, caller);
    if (by == Named::kNot || !matches(statement, query, trust.has_variables)) continue;
    if (!statement.allows) return {Decision::Reason::kExplicit, nullptr, &statement};
    named = std::max(named, by);
  }
  const Decision own = decide(policies, query, caller);
  if (own.reason == Decision::Reason::kExplicit) return own;
  if (named == Named::kNot) return {Decision::Reason::kTrust};
  return named == Named::kItself ? Decision{.reason = Decision::Reason::kAllowed} : own;
}

bool trusts_service(const std::string& trust_policy, std::string_view service) {
  const CompiledPolicy trust = compile_policy(trust_policy);
  return std::ranges::any_of(trust.statements, [&](const Statement& statement) {
    return statement.allows && names_action(statement, "sts:AssumeRole") &&
           std::ranges::any_of(statement.principals, [&](const PrincipalPattern& pattern) {
             return pattern.value == "*" || (pattern.type == "Service" && pattern.value == service);
           });
  });
}

}  // namespace sim::iam
