#include "fakes/authorisation/authorisation.h"

#include <map>
#include <optional>

#include "api/form.h"
#include "fakes/authorisation/context.h"
#include "fakes/authorisation/resource_policy.h"
#include "sim/events/event.h"

namespace fakes::authorisation {
namespace {

using sim::iam::Decision;

// Actions that need no permission (STS API reference).
constexpr std::string_view kFree[] = {"GetCallerIdentity", "GetSessionToken"};

// Decides AssumeRole by the trust policy of the role.
Decision decide_assuming(const Asked& asked, const sim::iam::Query& query,
                         const sim::iam::Caller& caller) {
  const auto& account = *asked.backend.iam;
  for (const auto& [name, role] : account.roles())
    if (role.arn == query.resource)
      return sim::iam::decide_trust(sim::iam::compile_policy(role.trust_policy),
                                    account.policies_of(caller), query, caller);
  return {.reason = Decision::Reason::kTrust};
}

Decision decide(const Asked& asked, const Permission& permission, const sim::iam::Caller& caller,
                const api::HttpRequest* http) {
  const Subject subject{asked, caller, http, permission};
  const sim::iam::ContextKeys keys = keys_of(subject);
  const sim::iam::Query query{permission.action, permission.resource, keys};
  if (permission.action == "sts:AssumeRole") return decide_assuming(asked, query, caller);
  static const sim::iam::PolicySet kNone;
  const auto own = policy_of_resource(asked.backend, permission.resource);
  return sim::iam::decide(is_anonymous(caller) ? kNone : asked.backend.iam->policies_of(caller),
                          query, caller, own ? &*own : nullptr);
}

void log_denial(const Asked& asked, const sim::iam::Caller& caller, std::string_view name,
                const Denial& denial) {
  asked.backend.log.append(
      sim::events::IamDenied{.time = asked.backend.simulation.now(),
                             .caller = name,
                             .principal = caller.arn,
                             .action = denial.permission.action,
                             .resource = denial.permission.resource,
                             .reason = sim::iam::name_of(denial.decision.reason)});
}

}  // namespace

const api::Parameters& parameters_of(const Service& service, const api::Operation& operation,
                                     const void* request, const api::Parameters* parsed,
                                     api::Parameters& made) {
  const auto& members = operation.input.shape->members;
  const int payload = operation.input.payload;
  const bool is_upload =
      payload >= 0 && members[static_cast<std::size_t>(payload)].shape->type == api::Type::kBlob;
  const bool is_form = service.model.protocol == api::Protocol::kEc2 ||
                       service.model.protocol == api::Protocol::kQuery;
  if (parsed != nullptr && (is_form || is_upload)) return *parsed;
  const auto style =
      service.model.protocol == api::Protocol::kEc2 ? api::FormStyle::kEc2 : api::FormStyle::kQuery;
  made = api::form_of(*operation.input.shape, request, style);
  return made;
}

void authorise(const Asked& asked, const sim::iam::Caller& caller, std::string_view name,
               const api::HttpRequest* http) {
  for (const std::string_view free : kFree)
    if (asked.operation.name == free && asked.service.model.name == "sts") return;
  for (const Permission& permission : permissions_for(asked)) {
    const Denial denial{permission, decide(asked, permission, caller, http)};
    if (denial.decision.allowed()) continue;
    log_denial(asked, caller, name, denial);
    throw error_of(asked, caller, denial);
  }
}

}  // namespace fakes::authorisation
