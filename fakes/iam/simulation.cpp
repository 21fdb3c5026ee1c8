// The policy simulator: which actions policies would permit (IAM User Guide, "IAM policy testing
// with the IAM policy simulator").
#include <algorithm>
#include <map>

#include "fakes/iam/actions.h"
#include "sim/iam/decision.h"
#include "sim/iam/policy.h"
#include "sim/iam/policy_document.h"

namespace fakes::iam {
namespace {

using sim::iam::Decision;
using sim::iam::NamedPolicy;
using sim::iam::PolicySet;

std::vector<NamedPolicy> compiled(const api::List<std::string>& documents, const char* name) {
  std::vector<NamedPolicy> policies;
  for (const std::string& document : documents) {
    sim::iam::check_identity_policy(document);
    policies.push_back(
        {std::string(name) + "." + std::to_string(policies.size() + 1), "none",
         std::make_shared<const sim::iam::CompiledPolicy>(sim::iam::compile_policy(document))});
  }
  return policies;
}

// The condition keys that a request states.
class StatedContext {
 public:
  template <class Entries>
  explicit StatedContext(const Entries& entries) {
    for (const auto& entry : entries) {
      sim::iam::Values values(entry.context_key_values.begin(), entry.context_key_values.end());
      keys_[base::lower_case(entry.context_key_name.value_or(""))] = std::move(values);
    }
  }
  sim::iam::ContextKeys keys() const {
    return [this](std::string_view key) -> std::optional<sim::iam::Values> {
      const auto found = keys_.find(key);
      return found == keys_.end() ? std::nullopt : std::optional(found->second);
    };
  }

 private:
  std::map<std::string, sim::iam::Values, std::less<>> keys_;
};

// The condition keys that the policies need for this action, and that the request does not state.
std::vector<std::string> missing_keys(const PolicySet& policies, const std::string& action,
                                      const sim::iam::ContextKeys& keys) {
  std::vector<std::string> names;
  for (const auto* const list : {&policies.identity, &policies.boundary})
    for (const NamedPolicy& policy : *list)
      for (const sim::iam::Statement& statement : policy.policy->statements) {
        if (!sim::iam::names_action(statement, action)) continue;
        for (const sim::iam::Condition& condition : statement.conditions)
          if (!keys(condition.key) && std::ranges::count(names, condition.name) == 0)
            names.push_back(condition.name);
      }
  return names;
}

api::iam::EvaluationResult evaluated(const PolicySet& policies, const sim::iam::Caller& caller,
                                     const std::string& action, const std::string& resource,
                                     const StatedContext& context) {
  if (action.find(':') == std::string::npos)
    throw ApiError("InvalidInput", "Invalid action: " + action);
  const sim::iam::ContextKeys keys = context.keys();
  const Decision decision = sim::iam::decide(policies, {action, resource, keys}, caller);
  api::iam::EvaluationResult result;
  result.eval_action_name = action;
  result.eval_resource_name = resource;
  result.eval_decision = decision.allowed()                               ? "allowed"
                         : decision.reason == Decision::Reason::kExplicit ? "explicitDeny"
                                                                          : "implicitDeny";
  result.matched_statements.give();
  result.missing_context_values.give();
  for (std::string& name : missing_keys(policies, action, keys))
    result.missing_context_values.push_back(std::move(name));
  if (decision.policy != nullptr)
    result.matched_statements.push_back(
        {.source_policy_id = decision.policy->name, .source_policy_type = decision.policy->type});
  if (!policies.boundary.empty())
    result.permissions_boundary_decision_detail.emplace().allowed_by_permissions_boundary =
        decision.reason != Decision::Reason::kBoundary;
  return result;
}

// A result for each action on each resource, in the order of the request.
template <class Response, class Request>
Response evaluate(const Request& request, const PolicySet& policies,
                  const sim::iam::Caller& caller) {
  const StatedContext context(request.context_entries);
  std::vector<std::string> resources(request.resource_arns.begin(), request.resource_arns.end());
  if (resources.empty()) resources.emplace_back("*");
  std::vector<std::pair<std::string, api::iam::EvaluationResult>> all;
  for (const std::string& action : request.action_names)
    for (const std::string& resource : resources) {
      std::string number = std::to_string(all.size());
      number.insert(0, 8 - std::min<std::size_t>(8, number.size()), '0');
      all.emplace_back(number, evaluated(policies, caller, action, resource, context));
    }
  Response response;
  response.evaluation_results.give();
  page(
      response, request, all, [](const auto& entry) { return entry.first; },
      [&](const auto& entry) { response.evaluation_results.push_back(entry.second); });
  return response;
}

// The user, group or role of an ARN.
sim::iam::Caller caller_of(const sim::iam::Account& account, const std::string& arn) {
  for (const auto& [name, user] : account.users())
    if (user.arn == arn) return account.caller_of_user(name);
  for (const auto& [name, role] : account.roles())
    if (role.arn == arn) return account.caller_of_role(name, "simulation");
  throw sim::iam::no_such_entity("Principal " + arn + " does not exist.");
}

op::SimulatePrincipalPolicy::Response simulate_principal(
    Call& call, const op::SimulatePrincipalPolicy::Request& request) {
  const auto caller = caller_of(*call.backend.iam, request.policy_source_arn.value());
  PolicySet policies = call.backend.iam->policies_of(caller);
  for (auto& policy : compiled(request.policy_input_list, "PolicyInputList"))
    policies.identity.push_back(std::move(policy));
  if (auto boundary = compiled(request.permissions_boundary_policy_input_list,
                               "PermissionsBoundaryPolicyInputList");
      !boundary.empty())
    policies.boundary = std::move(boundary);
  return evaluate<op::SimulatePrincipalPolicy::Response>(request, policies, caller);
}

op::SimulateCustomPolicy::Response simulate_custom(
    Call& call, const op::SimulateCustomPolicy::Request& request) {
  const PolicySet policies{.identity = compiled(request.policy_input_list, "PolicyInputList"),
                           .boundary = compiled(request.permissions_boundary_policy_input_list,
                                                "PermissionsBoundaryPolicyInputList")};
  return evaluate<op::SimulateCustomPolicy::Response>(request, policies, call.backend.iam->root());
}

}  // namespace

std::vector<ActionRow> simulation_actions() {
  return {action<op::SimulatePrincipalPolicy, simulate_principal>(),
          action<op::SimulateCustomPolicy, simulate_custom>()};
}

}  // namespace fakes::iam
