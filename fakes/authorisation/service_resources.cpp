#include "fakes/authorisation/service_resources.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "fakes/cloudformation/account.h"
#include "sim/cloud/error.h"
#include "sim/iam/service_roles.h"

namespace fakes::authorisation {
namespace {

std::string scaling_group_named(const Asked& asked, const std::string& name) {
  if (name.starts_with("arn:")) return name;
  for (const auto* const group : asked.backend.groups.groups())
    if (group->name == name) return group->arn;
  return fmt::format("autoScalingGroup:*:autoScalingGroupName/{}", name);
}

std::string group_of_instance(const Asked& asked, const std::string& instance) {
  const auto* const group = asked.backend.groups.group_of({instance});
  return group != nullptr ? group->arn : scaling_group_named(asked, "*");
}

std::string configuration_named(const Asked& asked, const std::string& name) {
  const auto& all = asked.backend.groups.launch_configurations();
  const auto found = all.find(name);
  return found != all.end() ? found->second.arn
                            : fmt::format("launchConfiguration:*:launchConfigurationName/{}", name);
}

// The ARN of the stack with this name or ARN. A pattern, if no stack has the name.
std::string stack_named(const Asked& asked, const std::string& name) {
  if (name.starts_with("arn:")) return name;
  if (asked.backend.stacks)
    for (const auto& stack : cloudformation::stacks(asked.backend).all())
      if (stack->name == name && !stack->is_deleted()) return stack->id;
  return fmt::format("stack/{}/*", name);
}

// The stack of a change set. The set's ID says which, whatever stack the request names. The set's
// name is unique among those of the named stack.
std::string stack_of_change_set(const Asked& asked, const std::string& set) {
  if (asked.backend.stacks)
    for (const auto& one : cloudformation::stacks(asked.backend).all())
      if (std::ranges::count(one->change_sets, set, &sim::stacks::ChangeSet::id)) return one->id;
  const std::string stack = value_of(asked.parameters, "StackName");
  return stack_named(asked, stack.empty() ? "*" : stack);
}

std::string owner_of_key(const Asked& asked, const std::string& key_id) {
  const sim::iam::Account& account = *asked.backend.iam;
  const auto* const key = account.find_access_key(key_id);
  if (key == nullptr) return "user/*";
  const auto user = account.users().find(key->user);
  return user != account.users().end() ? user->second.arn : "user/*";
}

// The role that CreateServiceLinkedRole creates for a service.
std::string role_of_service(const Asked& asked, const std::string& service) {
  try {
    const sim::iam::Role role =
        sim::iam::service_linked_role(service, value_of(asked.parameters, "CustomSuffix"));
    return fmt::format("role{}{}", role.path, role.name);
  } catch (const sim::cloud::ApiError&) {
    return fmt::format("role/aws-service-role/{}/*", service);
  }
}

// The role of "task/aws-service-role/SERVICE/ROLE/ID".
std::string role_of_deletion(const Asked&, const std::string& task) {
  constexpr std::string_view kTask = "task/";
  if (!task.starts_with(kTask)) return "role/*";
  return "role/" + task.substr(kTask.size(), task.rfind('/') - kTask.size());
}

std::string provider_at(const Asked&, const std::string& url) {
  constexpr std::string_view kScheme = "https://";
  return "oidc-provider/" + (url.starts_with(kScheme) ? url.substr(kScheme.size()) : url);
}

struct ServiceNameRow {
  std::string_view kind;
  std::string (*resource)(const Asked& asked, const std::string& name);
};
constexpr ServiceNameRow kServiceNames[] = {{"asg", scaling_group_named},
                                            {"asg-of", group_of_instance},
                                            {"configuration", configuration_named},
                                            {"deletion", role_of_deletion},
                                            {"key-owner", owner_of_key},
                                            {"linked", role_of_service},
                                            {"provider", provider_at},
                                            {"set", stack_of_change_set},
                                            {"stack", stack_named}};

}  // namespace

std::optional<std::string> service_resource_named(const Asked& asked, std::string_view kind,
                                                  const std::string& name) {
  const auto* const row = std::ranges::find(kServiceNames, kind, &ServiceNameRow::kind);
  if (row == std::end(kServiceNames)) return {};
  return row->resource(asked, name);
}

}  // namespace fakes::authorisation
