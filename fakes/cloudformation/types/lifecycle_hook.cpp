// AWS::AutoScaling::LifecycleHook. Its physical ID is the hook's name.
#include "api/autoscaling.h"
#include "fakes/cloudformation/types/rows.h"

namespace fakes::cloudformation::lifecycle_hook {
namespace {

namespace autoscaling = api::autoscaling::op;
using sim::Json;

constexpr std::string_view kUpdated[] = {"DefaultResult",         "HeartbeatTimeout",
                                         "LifecycleTransition",   "NotificationMetadata",
                                         "NotificationTargetARN", "RoleARN"};
constexpr std::size_t kLongestName = 255;

void put(const ResourceCall& call, const std::string& name) {
  Properties properties = call.properties();
  properties.set("LifecycleHookName", name);
  call.ask<autoscaling::PutLifecycleHook>(properties.request<autoscaling::PutLifecycleHook>());
}

std::string create(const ResourceCall& call) {
  Properties properties = call.properties();
  const std::string name =
      properties.take_text("LifecycleHookName").value_or(generated_name(call, kLongestName));
  put(call, name);
  return name;
}

void update(const ResourceCall& call, const Json&) { put(call, call.id()); }

void remove(const ResourceCall& call) {
  Properties properties = call.properties();
  const std::string group = properties.need_text("AutoScalingGroupName");
  const auto groups =
      call.ask<autoscaling::DescribeAutoScalingGroups>({.auto_scaling_group_names = {group}});
  if (groups.auto_scaling_groups.empty()) return;
  call.ask<autoscaling::DeleteLifecycleHook>(
      {.auto_scaling_group_name = group, .lifecycle_hook_name = call.id()});
}

}  // namespace

const Type kType{
    .traits = {.type = "AWS::AutoScaling::LifecycleHook", .attributes = {}, .updated = kUpdated},
    .create = create,
    .remove = remove,
    .update = update,
    .changes = kUpdated};

}  // namespace fakes::cloudformation::lifecycle_hook
