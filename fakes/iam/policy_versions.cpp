// The versions of a managed policy.
#include "fakes/iam/actions.h"

namespace fakes::iam {
namespace {

op::CreatePolicyVersion::Response create_version(Call& call,
                                                 const op::CreatePolicyVersion::Request& request) {
  const std::string& arn = request.policy_arn.value();
  const int number = call.backend.iam->create_policy_version(
      arn, request.policy_document.value(), request.set_as_default.value_or(false));
  return {.policy_version = shown_version(call.backend.iam->policy(arn), number, Detail::kListed)};
}

op::GetPolicyVersion::Response get_version(Call& call,
                                           const op::GetPolicyVersion::Request& request) {
  const sim::iam::Account& account = *call.backend.iam;
  const std::string &arn = request.policy_arn.value(), &id = request.version_id.value();
  const sim::iam::PolicyVersion& version = account.policy_version(arn, id);
  const bool is_default = id == "v" + std::to_string(account.policy(arn).default_version);
  return {.policy_version = api::iam::PolicyVersion{.create_date = timestamp(version.created),
                                                    .document = shown_document(version.document),
                                                    .is_default_version = is_default,
                                                    .version_id = id}};
}

// Newest first.
op::ListPolicyVersions::Response list_versions(Call& call,
                                               const op::ListPolicyVersions::Request& request) {
  const auto& policy = call.backend.iam->policy(request.policy_arn.value());
  std::map<std::string, int> newest_first;
  for (const auto& [number, version] : policy.versions)
    newest_first.emplace(std::to_string(1'000'000'000 - number), number);
  op::ListPolicyVersions::Response response;
  response.versions.give();
  page(
      response, request, newest_first, [](const auto& entry) { return entry.first; },
      [&](const auto& entry) {
        response.versions.push_back(shown_version(policy, entry.second, Detail::kListed));
      });
  return response;
}

op::SetDefaultPolicyVersion::Response set_default(
    Call& call, const op::SetDefaultPolicyVersion::Request& request) {
  call.backend.iam->set_default_policy_version(request.policy_arn.value(),
                                               request.version_id.value());
  return {};
}

op::DeletePolicyVersion::Response delete_version(Call& call,
                                                 const op::DeletePolicyVersion::Request& request) {
  call.backend.iam->delete_policy_version(request.policy_arn.value(), request.version_id.value());
  return {};
}

}  // namespace

api::iam::PolicyVersion shown_version(const sim::iam::Policy& policy, int number, Detail detail) {
  const sim::iam::PolicyVersion& version = policy.versions.at(number);
  api::iam::PolicyVersion out{.create_date = timestamp(version.created),
                              .is_default_version = number == policy.default_version,
                              .version_id = "v" + std::to_string(number)};
  if (detail == Detail::kWhole) out.document = shown_document(version.document);
  return out;
}

std::vector<ActionRow> policy_version_actions() {
  return {action<op::CreatePolicyVersion, create_version>(),
          action<op::GetPolicyVersion, get_version>(),
          action<op::ListPolicyVersions, list_versions>(),
          action<op::SetDefaultPolicyVersion, set_default>(),
          action<op::DeletePolicyVersion, delete_version>()};
}

}  // namespace fakes::iam
