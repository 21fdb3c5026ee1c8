#include "fakes/authorisation/authorisation.h"

#include <algorithm>
#include <utility>

#include "api/form.h"
#include "fakes/authorisation/resource_policy.h"
#include "sim/events/event.h"

namespace fakes::authorisation {
namespace {

using sim::iam::Decision;

// Actions that need no permission of their caller (STS API reference).
constexpr std::string_view kFree[] = {"AssumeRoleWithWebIdentity", "GetCallerIdentity",
                                      "GetSessionToken"};

// What the trust policy of a role decides.
constexpr std::string_view kAssuming[] = {"sts:AssumeRole", "sts:SetSourceIdentity",
                                          "sts:TagSession"};

Decision decide_assuming(const sim::iam::Account& account, const sim::iam::Query& query,
                         const sim::iam::Caller& caller) {
  if (const auto* const role = account.find_role_by_arn(query.resource))
    return sim::iam::decide_trust(sim::iam::compile_policy(role->trust_policy),
                                  account.policies_of(caller), query, caller);
  return {.reason = Decision::Reason::kTrust};
}

Decision decide(const RequestContext& context, const Permission& permission,
                const sim::iam::Caller& caller) {
  const sim::iam::Account& account = *context.backend.iam;
  const Subject subject{context, caller, permission};
  const sim::iam::ContextKeys keys = keys_of(subject);
  const sim::iam::Query query{permission.action, permission.resource, keys};
  if (std::ranges::find(kAssuming, permission.action) != std::end(kAssuming))
    return decide_assuming(account, query, caller);
  static const sim::iam::PolicySet kNone;
  const auto own = policy_of_resource(context.backend, permission.resource);
  return sim::iam::decide(is_anonymous(caller) ? kNone : account.policies_of(caller), query, caller,
                          own ? &*own : nullptr);
}

}  // namespace

void log_denial(Backend& backend, const Actor& actor, const Denial& denial) {
  backend.log.append(sim::events::IamDenied{.time = backend.simulation.now(),
                                            .caller = actor.name,
                                            .principal = actor.caller.arn,
                                            .action = denial.permission.action,
                                            .resource = denial.permission.resource,
                                            .reason = sim::iam::name_of(denial.decision.reason)});
}

std::optional<Denial> find_denial(const RequestContext& context,
                                  std::span<const Permission> permissions, const Actor& actor) {
  for (const Permission& permission : permissions) {
    const Decision decision = decide(context, permission, actor.caller);
    if (decision.allowed()) continue;
    if (!permission.or_action.empty()) {
      Permission other = permission;
      other.action = permission.or_action;
      other.resource = permission.or_resource;
      if (decide(context, other, actor.caller).allowed()) continue;
    }
    Denial denial{permission, decision};
    log_denial(context.backend, actor, denial);
    return denial;
  }
  return {};
}

const api::Parameters& parameters_of(Backend& backend, const Service& service,
                                     const ReadRequest& request, api::Parameters& made) {
  const auto& shape = *request.operation.input.shape;
  if (service.completed != nullptr)
    if (auto completed = service.completed(backend, request.operation, request.value))
      return made = std::move(*completed);
  const int payload = request.operation.input.payload;
  const bool is_upload =
      payload >= 0 &&
      shape.members[static_cast<std::size_t>(payload)].shape->type == api::Type::kBlob;
  const bool is_form = service.model.protocol == api::Protocol::kEc2 ||
                       service.model.protocol == api::Protocol::kQuery;
  if (request.form != nullptr && (is_form || is_upload)) return *request.form;
  const auto style =
      service.model.protocol == api::Protocol::kEc2 ? api::FormStyle::kEc2 : api::FormStyle::kQuery;
  return made = api::form_of(shape, request.value, style);
}

void authorise(const Asked& asked, const sim::iam::Caller& caller, std::string_view name,
               const api::HttpRequest* http) {
  for (const std::string_view free : kFree)
    if (asked.operation.name == free && asked.service.model.name == "sts") return;
  const RequestContext context{.backend = asked.backend,
                               .parameters = asked.parameters,
                               .is_global = asked.service.global,
                               .http = http};
  Asked by_caller = asked;
  by_caller.caller = &caller;
  by_caller.http = http;
  if (const auto denial = find_denial(context, permissions_for(by_caller), {caller, name}))
    throw error_of(by_caller, caller, *denial);
}

}  // namespace fakes::authorisation
