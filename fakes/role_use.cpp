#include "fakes/role_use.h"

#include "api/ec2.h"
#include "fakes/authorisation/authorisation.h"
#include "fakes/service.h"
#include "sim/iam/decision.h"

namespace fakes {
namespace {

// The service has no session, because the role does not trust it or does not exist.
void log_untrusted(Backend& backend, const std::string& service, const std::string& role_arn) {
  const sim::iam::Caller caller{
      .kind = sim::iam::Caller::Kind::kService, .name = service, .arn = service};
  authorisation::log_denial(backend, {caller, service},
                            {{.action = "sts:AssumeRole", .resource = role_arn},
                             {.reason = sim::iam::Decision::Reason::kTrust}});
}

std::vector<authorisation::Permission> permissions_to_launch(Backend& backend,
                                                             const api::Parameters& launch) {
  using Op = api::ec2::op::RunInstances;
  return authorisation::permissions_for(
      {backend, ec2_service(), Op::service().operations[Op::kAt], launch});
}

}  // namespace

bool can_assume(Backend& backend, const std::string& service, const std::string& role_arn) {
  if (!backend.iam->decides()) return true;
  const sim::iam::Role* const role = backend.iam->find_role_by_arn(role_arn);
  if (role != nullptr && sim::iam::trusts_service(role->trust_policy, service)) return true;
  log_untrusted(backend, service, role_arn);
  return false;
}

bool is_permitted(const authorisation::RequestContext& context, const RoleSession& session,
                  std::span<const authorisation::Permission> permissions) {
  Backend& backend = context.backend;
  const sim::iam::Role* const role = backend.iam->find_role_by_arn(session.role_arn);
  if (role != nullptr) backend.iam->use_role(role->name, backend.cloud.config().region);
  if (!backend.iam->decides()) return true;
  if (role == nullptr) {  // it was deleted
    log_untrusted(backend, session.service, session.role_arn);
    return false;
  }
  const auto caller = backend.iam->caller_of_role(role->name, session.name);
  return !authorisation::find_denial(context, permissions, {caller, session.service});
}

bool may_launch(Backend& backend, const RoleSession& session, const api::Parameters& launch) {
  return is_permitted({.backend = backend, .parameters = launch}, session,
                      permissions_to_launch(backend, launch));
}

bool may_launch(const Call& call, const api::Parameters& launch) {
  if (call.identity == nullptr) return true;
  return !authorisation::find_denial({.backend = call.backend, .parameters = launch},
                                     permissions_to_launch(call.backend, launch),
                                     {*call.identity, call.caller});
}

}  // namespace fakes
