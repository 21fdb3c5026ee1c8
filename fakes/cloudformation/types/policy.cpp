// AWS::IAM::Policy: a policy inside roles.
#include <algorithm>

#include "api/iam.h"
#include "fakes/cloudformation/types/iam_parts.h"
#include "fakes/cloudformation/types/rows.h"

namespace fakes::cloudformation::policy {
namespace {

namespace iam = api::iam::op;
using sim::Json;

constexpr std::string_view kUpdated[] = {"Groups", "PolicyDocument", "PolicyName", "Roles",
                                         "Users"};
constexpr std::size_t kLongestName = 128;

void take_out(const ResourceCall& call, const Json& properties) {
  for (const std::string& role : texts_in(properties, "Roles"))
    if_there([&] {
      call.ask<iam::DeleteRolePolicy>(
          {.policy_name = properties.value("PolicyName", ""), .role_name = role});
    });
}

void put_in(const ResourceCall& call, const std::string& id) {
  Properties properties = call.properties();
  refuse_users(properties, call.resource.type);
  const Json document = properties.take("PolicyDocument");
  const std::string name = properties.need_text("PolicyName");
  const auto roles = texts_in(call.resource.properties, "Roles");
  properties.ignore({"Roles"});
  properties.end();
  if (roles.empty())
    throw sim::stacks::invalid("At least one of [Groups,Roles,Users] must be non-empty.");
  const auto put = [&](const std::string& role) {
    call.ask<iam::PutRolePolicy>(
        {.policy_document = document.dump(), .policy_name = name, .role_name = role});
  };
  put(roles.front());
  undo_on_failure(
      id, [&] { std::for_each(roles.begin() + 1, roles.end(), put); },
      [&] { take_out(call, call.resource.properties); });
}

std::string create(const ResourceCall& call) {
  std::string id = generated_name(call, kLongestName);
  put_in(call, id);
  return id;
}

void update(const ResourceCall& call, const Json& before) {
  take_out(call, before);
  put_in(call, call.id());
}

void remove(const ResourceCall& call) { take_out(call, call.resource.properties); }

}  // namespace

const Type kType{.traits = {.type = "AWS::IAM::Policy",
                            .attributes = {},
                            .updated = kUpdated,
                            .is_iam = true,
                            .least = std::chrono::seconds(15)},
                 .create = create,
                 .remove = remove,
                 .update = update,
                 .changes = kUpdated};

}  // namespace fakes::cloudformation::policy
