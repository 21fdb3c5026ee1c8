// AWS::IAM::InstanceProfile.
#include "api/iam.h"
#include "fakes/cloudformation/types/iam_parts.h"
#include "fakes/cloudformation/types/rows.h"

namespace fakes::cloudformation::instance_profile {
namespace {

namespace iam = api::iam::op;
using sim::Json;

constexpr std::string_view kAttributes[] = {"Arn"};
constexpr std::string_view kUpdated[] = {"Roles"};
constexpr std::size_t kLongestName = 128;

void add_roles(const ResourceCall& call, const std::string& name) {
  for (const std::string& role : texts_in(call.resource.properties, "Roles"))
    call.ask<iam::AddRoleToInstanceProfile>({.instance_profile_name = name, .role_name = role});
}

void remove_roles(const ResourceCall& call, const std::string& name, const Json& properties) {
  for (const std::string& role : texts_in(properties, "Roles"))
    if_there([&] {
      call.ask<iam::RemoveRoleFromInstanceProfile>(
          {.instance_profile_name = name, .role_name = role});
    });
}

std::string create(const ResourceCall& call) {
  Properties properties = call.properties();
  properties.ignore({"Roles"});
  const std::string name =
      properties.take_text("InstanceProfileName").value_or(generated_name(call, kLongestName));
  properties.set("InstanceProfileName", name);
  call.ask<iam::CreateInstanceProfile>(properties.request<iam::CreateInstanceProfile>());
  undo_on_failure(
      name, [&] { add_roles(call, name); },
      [&] {
        remove_roles(call, name, call.resource.properties);
        call.ask<iam::DeleteInstanceProfile>({.instance_profile_name = name});
      });
  return name;
}

void update(const ResourceCall& call, const Json& before) {
  remove_roles(call, call.id(), before);
  add_roles(call, call.id());
}

void remove(const ResourceCall& call) {
  remove_roles(call, call.id(), call.resource.properties);
  call.ask<iam::DeleteInstanceProfile>({.instance_profile_name = call.id()});
}

Json attribute(const ResourceCall& call, const std::string&) {
  return call.ask<iam::GetInstanceProfile>({.instance_profile_name = call.id()})
      .instance_profile->arn.value();
}

}  // namespace

// CloudFormation waits two minutes, so that EC2 knows the profile.
const Type kType{.traits = {.type = "AWS::IAM::InstanceProfile",
                            .attributes = kAttributes,
                            .updated = kUpdated,
                            .is_iam = true,
                            .name_property = "InstanceProfileName",
                            .least = std::chrono::minutes(2)},
                 .create = create,
                 .remove = remove,
                 .attribute = attribute,
                 .update = update,
                 .changes = kUpdated};

}  // namespace fakes::cloudformation::instance_profile
