// GetCallerIdentity: the identity of a caller.
#include "api/sts.h"

#include "fakes/iam_names.h"
#include "fakes/service.h"

namespace fakes {
namespace {

// An instance is its role, in a session with the instance's name. The operator is a role, too,
// because SageMaker's SDK requires one (IAM User Guide, "IAM identifiers").
api::sts::op::GetCallerIdentity::Response get_caller_identity(
    Call& call, const api::sts::op::GetCallerIdentity::Request&) {
  const std::string& account = call.cloud.config().account_id;
  std::string role = "operator", session = "operator";
  const auto found = call.cloud.instances().find({std::string(call.caller)});
  if (found != call.cloud.instances().end()) {
    if (const std::string own = role_name(call.backend, found->second); !own.empty()) {
      role = own;
      session = found->first.value;
    }
  }
  const auto& roles = call.backend.iam->roles();
  const auto known = roles.find(role);
  const std::string id =
      known != roles.end()
          ? known->second.id
          : "AROA" + iam_characters(call.backend.streams.stream("role-id", role), 17);
  return {.account = account,
          .arn = "arn:aws:sts::" + account + ":assumed-role/" + role + "/" + session,
          .user_id = id + ":" + session};
}

}  // namespace

const Service& sts_service() {
  static const ActionRow rows[] = {action<api::sts::op::GetCallerIdentity, get_caller_identity>()};
  static const Service service{.model = api::sts::kService, .actions = rows, .global = true};
  return service;
}

}  // namespace fakes
