// AWS::IAM::Role.
#include "api/iam.h"
#include "fakes/cloudformation/types/iam_parts.h"
#include "fakes/cloudformation/types/rows.h"

namespace fakes::cloudformation::role {
namespace {

namespace iam = api::iam::op;
using sim::Json;

constexpr std::string_view kAttributes[] = {"Arn", "RoleId"};
constexpr std::string_view kUpdated[] = {"AssumeRolePolicyDocument",
                                         "Description",
                                         "ManagedPolicyArns",
                                         "MaxSessionDuration",
                                         "PermissionsBoundary",
                                         "Policies",
                                         "Tags"};
constexpr std::string_view kChanges[] = {"AssumeRolePolicyDocument", "Description",
                                         "ManagedPolicyArns", "MaxSessionDuration", "Policies"};
constexpr std::size_t kLongestName = 64;

void add_policies(const ResourceCall& call, const std::string& name, const Json& properties) {
  if (const auto found = properties.find("Policies"); found != properties.end())
    for (const Json& policy : *found)
      call.ask<iam::PutRolePolicy>(request_of<iam::PutRolePolicy>(
          call.resource, {{"RoleName", name},
                          {"PolicyName", policy.value("PolicyName", "")},
                          {"PolicyDocument", policy.value("PolicyDocument", Json())}}));
  for (const std::string& arn : texts_in(properties, "ManagedPolicyArns"))
    call.ask<iam::AttachRolePolicy>({.policy_arn = arn, .role_name = name});
}

void remove_policies(const ResourceCall& call, const std::string& name, const Json& properties) {
  if (const auto found = properties.find("Policies"); found != properties.end())
    for (const Json& policy : *found)
      if_there([&] {
        call.ask<iam::DeleteRolePolicy>(
            {.policy_name = policy.value("PolicyName", ""), .role_name = name});
      });
  for (const std::string& arn : texts_in(properties, "ManagedPolicyArns"))
    if_there([&] { call.ask<iam::DetachRolePolicy>({.policy_arn = arn, .role_name = name}); });
}

std::string create(const ResourceCall& call) {
  Properties properties = call.properties();
  properties.ignore({"ManagedPolicyArns", "Policies"});
  const std::string name =
      properties.take_text("RoleName").value_or(generated_name(call, kLongestName));
  properties.set("RoleName", name);
  properties.set("Tags", properties.take_tags());
  call.ask<iam::CreateRole>(properties.request<iam::CreateRole>());
  undo_on_failure(
      name, [&] { add_policies(call, name, call.resource.properties); },
      [&] {
        remove_policies(call, name, call.resource.properties);
        call.ask<iam::DeleteRole>({.role_name = name});
      });
  return name;
}

void update(const ResourceCall& call, const Json& before) {
  Properties properties = call.properties();
  const Json document = properties.take("AssumeRolePolicyDocument");
  call.ask<iam::UpdateAssumeRolePolicy>(
      {.policy_document = document.dump(), .role_name = call.id()});
  call.ask<iam::UpdateRole>({.description = properties.take_text("Description").value_or(""),
                             .max_session_duration = properties.take_number("MaxSessionDuration"),
                             .role_name = call.id()});
  remove_policies(call, call.id(), before);
  add_policies(call, call.id(), call.resource.properties);
}

void remove(const ResourceCall& call) {
  remove_policies(call, call.id(), call.resource.properties);
  call.ask<iam::DeleteRole>({.role_name = call.id()});
}

Json attribute(const ResourceCall& call, const std::string& name) {
  const auto role = call.ask<iam::GetRole>({.role_name = call.id()}).role.value();
  return name == "Arn" ? role.arn.value() : role.role_id.value();
}

}  // namespace

const Type kType{.traits = {.type = "AWS::IAM::Role",
                            .attributes = kAttributes,
                            .updated = kUpdated,
                            .has_tags = true,
                            .is_iam = true,
                            .name_property = "RoleName",
                            .least = std::chrono::seconds(15)},
                 .create = create,
                 .remove = remove,
                 .attribute = attribute,
                 .update = update,
                 .changes = kChanges};

}  // namespace fakes::cloudformation::role
