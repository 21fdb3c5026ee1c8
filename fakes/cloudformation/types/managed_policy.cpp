// AWS::IAM::ManagedPolicy. Its physical ID is the policy's ARN.
#include "api/iam.h"
#include "fakes/cloudformation/types/iam_parts.h"
#include "fakes/cloudformation/types/rows.h"

namespace fakes::cloudformation::managed_policy {
namespace {

namespace iam = api::iam::op;
using sim::Json;

constexpr std::string_view kAttributes[] = {"PolicyArn"};
constexpr std::string_view kUpdated[] = {"Groups", "PolicyDocument", "Roles", "Users"};
constexpr std::size_t kLongestName = 128;

void attach(const ResourceCall& call, const std::string& arn) {
  for (const std::string& role : texts_in(call.resource.properties, "Roles"))
    call.ask<iam::AttachRolePolicy>({.policy_arn = arn, .role_name = role});
}

void detach(const ResourceCall& call, const std::string& arn, const Json& properties) {
  for (const std::string& role : texts_in(properties, "Roles"))
    if_there([&] { call.ask<iam::DetachRolePolicy>({.policy_arn = arn, .role_name = role}); });
}

std::string create(const ResourceCall& call) {
  Properties properties = call.properties();
  refuse_users(properties, call.resource.type);
  properties.ignore({"Roles"});
  const auto name = properties.take_text("ManagedPolicyName");
  properties.set("PolicyName", name.value_or(generated_name(call, kLongestName)));
  const std::string arn =
      call.ask<iam::CreatePolicy>(properties.request<iam::CreatePolicy>()).policy->arn.value();
  undo_on_failure(
      arn, [&] { attach(call, arn); },
      [&] {
        detach(call, arn, call.resource.properties);
        call.ask<iam::DeletePolicy>({.policy_arn = arn});
      });
  return arn;
}

// A new document becomes the default version. The previous version is deleted, because a policy has
// at most five.
void update(const ResourceCall& call, const Json& before) {
  if (before.at("PolicyDocument") != call.resource.properties.at("PolicyDocument")) {
    const auto policy = call.ask<iam::GetPolicy>({.policy_arn = call.id()}).policy.value();
    call.ask<iam::CreatePolicyVersion>(
        {.policy_arn = call.id(),
         .policy_document = call.resource.properties.at("PolicyDocument").dump(),
         .set_as_default = true});
    call.ask<iam::DeletePolicyVersion>(
        {.policy_arn = call.id(), .version_id = policy.default_version_id});
  }
  detach(call, call.id(), before);
  attach(call, call.id());
}

void remove(const ResourceCall& call) {
  detach(call, call.id(), call.resource.properties);
  call.ask<iam::DeletePolicy>({.policy_arn = call.id()});
}

}  // namespace

const Type kType{.traits = {.type = "AWS::IAM::ManagedPolicy",
                            .attributes = kAttributes,
                            .updated = kUpdated,
                            .is_iam = true,
                            .name_property = "ManagedPolicyName",
                            .least = std::chrono::seconds(15)},
                 .create = create,
                 .remove = remove,
                 .attribute = physical_id,
                 .update = update,
                 .changes = kUpdated};

}  // namespace fakes::cloudformation::managed_policy
