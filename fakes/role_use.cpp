#include "fakes/role_use.h"

#include <optional>
#include <string_view>

#include "fakes/authorisation/context.h"
#include "fakes/service.h"
#include "sim/events/event.h"
#include "sim/iam/decision.h"

namespace fakes {
namespace {

using sim::iam::Decision;

const sim::iam::Role* find_role(const Backend& backend, const std::string& arn) {
  for (const auto& [name, role] : backend.iam->roles())
    if (role.arn == arn) return &role;
  return nullptr;
}

void log_role_denial(Backend& backend, const RoleUse& use, const std::string& principal,
                     Decision::Reason reason) {
  backend.log.append(sim::events::IamDenied{.time = backend.simulation.now(),
                                            .caller = use.service,
                                            .principal = principal,
                                            .action = use.action,
                                            .resource = use.resource,
                                            .reason = sim::iam::name_of(reason)});
}

}  // namespace

bool can_assume(Backend& backend, const std::string& service, const std::string& role_arn) {
  if (!backend.iam->decides()) return true;
  const sim::iam::Role* const role = find_role(backend, role_arn);
  if (role && sim::iam::trusts_service(role->trust_policy, service)) return true;
  log_role_denial(backend,
                  {.service = service,
                   .role_arn = role_arn,
                   .session = "",
                   .action = "sts:AssumeRole",
                   .resource = role_arn},
                  service, Decision::Reason::kTrust);
  return false;
}

bool is_permitted(Backend& backend, const RoleUse& use) {
  if (!backend.iam->decides()) return true;
  const sim::iam::Role* const role = find_role(backend, use.role_arn);
  if (!role) {  // it was deleted
    log_role_denial(backend, use, use.role_arn, Decision::Reason::kTrust);
    return false;
  }
  const auto caller = backend.iam->caller_of_role(role->name, use.session);
  const api::Parameters none;
  const authorisation::Asked asked{backend, ec2_service(), ec2_service().model.operations[0], none};
  const authorisation::Permission permission{
      .action = use.action, .resource = use.resource, .passed_to = use.passed_to};
  const authorisation::Subject subject{asked, caller, nullptr, permission};
  const sim::iam::ContextKeys usual = authorisation::keys_of(subject);
  const sim::iam::ContextKeys keys = [&](std::string_view key) -> std::optional<sim::iam::Values> {
    const auto own = use.keys.find(key);
    return own != use.keys.end() ? own->second : usual(key);
  };
  const Decision decision =
      sim::iam::decide(backend.iam->policies_of(caller), {use.action, use.resource, keys}, caller);
  if (decision.allowed()) return true;
  log_role_denial(backend, use, caller.arn, decision.reason);
  return false;
}

}  // namespace fakes
