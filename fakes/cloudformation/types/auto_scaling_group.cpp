// AWS::AutoScaling::AutoScalingGroup.
#include <algorithm>
#include <span>

#include "api/autoscaling.h"
#include "fakes/cloudformation/types/rows.h"

namespace fakes::cloudformation::auto_scaling_group {
namespace {

namespace autoscaling = api::autoscaling::op;
using sim::Json;

// CloudFormation updates all of these in place. The service models the first kModelled.
constexpr std::string_view kUpdated[] = {
    "AvailabilityZones", "CapacityRebalance", "Context", "Cooldown", "DefaultInstanceWarmup",
    "DesiredCapacity", "DesiredCapacityType", "HealthCheckGracePeriod", "HealthCheckType",
    "LaunchConfigurationName", "LaunchTemplate", "MaxSize", "MinSize", "MixedInstancesPolicy",
    "NewInstancesProtectedFromScaleIn", "PlacementGroup", "Tags", "TerminationPolicies",
    "VPCZoneIdentifier",
    // Not modelled:
    "LifecycleHookSpecificationList", "LoadBalancerNames", "MaxInstanceLifetime",
    "MetricsCollection", "NotificationConfigurations", "ServiceLinkedRoleARN", "TargetGroupARNs"};
constexpr std::size_t kModelled = 19;
static_assert(kUpdated[kModelled - 1] == "VPCZoneIdentifier");
constexpr std::size_t kLongestName = 255;

// Renames members, and joins the list of subnets into one text for Auto Scaling.
void translate(Properties& properties) {
  properties.rename("Cooldown", "DefaultCooldown");
  const Json subnets = properties.take("VPCZoneIdentifier");
  if (subnets.is_string()) properties.set("VPCZoneIdentifier", subnets);
  if (!subnets.is_array()) return;
  std::string joined;
  for (const Json& subnet : subnets)
    joined += (joined.empty() ? "" : ",") + subnet.get<std::string>();
  properties.set("VPCZoneIdentifier", joined);
}

// Converts a template's tags into the service's form.
Json tags_of(Properties& properties, const std::string& group) {
  Json tags = properties.take_tags();
  for (Json& tag : tags) {
    if (!tag.contains("PropagateAtLaunch")) tag["PropagateAtLaunch"] = "true";
    tag["ResourceId"] = group;
    tag["ResourceType"] = "auto-scaling-group";
  }
  return tags;
}

std::string create(const ResourceCall& call) {
  Properties properties = call.properties();
  // Groups have no metrics here.
  properties.ignore({"MetricsCollection"});
  const auto given = properties.take_text("AutoScalingGroupName");
  const std::string name = given.value_or(generated_name(call, kLongestName));
  properties.set("AutoScalingGroupName", name);
  properties.set("Tags", tags_of(properties, name));
  translate(properties);
  call.ask<autoscaling::CreateAutoScalingGroup>(
      properties.request<autoscaling::CreateAutoScalingGroup>());
  // Clients may not set these tags. Instances get them, too.
  for (const auto& [key, value] : own_tags(call.resource))
    call.backend.groups.put_tag(name, key, {value, true});
  return name;
}

// Returns null if there is no group of this name.
std::optional<api::autoscaling::AutoScalingGroup> described(const ResourceCall& call) {
  auto response =
      call.ask<autoscaling::DescribeAutoScalingGroups>({.auto_scaling_group_names = {call.id()}});
  if (response.auto_scaling_groups.empty()) return {};
  return response.auto_scaling_groups.at(0);
}

// Whether the desired number of instances is in service.
bool is_ready(const ResourceCall& call) {
  const auto group = described(call);
  if (!group) throw sim::stacks::invalid("Group " + call.id() + " does not exist any more");
  const auto in_service = std::ranges::count_if(group->instances, [](const auto& instance) {
    return instance.lifecycle_state == "InService";
  });
  return in_service >= group->desired_capacity.value_or(0);
}

void update(const ResourceCall& call, const Json&) {
  Properties properties = call.properties();
  properties.ignore(
      {"AutoScalingGroupName", "LifecycleHookSpecificationList", "MetricsCollection"});
  const Json tags = tags_of(properties, call.id());
  properties.set("AutoScalingGroupName", call.id());
  translate(properties);
  call.ask<autoscaling::UpdateAutoScalingGroup>(
      properties.request<autoscaling::UpdateAutoScalingGroup>());
  if (!tags.empty())
    call.ask<autoscaling::CreateOrUpdateTags>(
        request_of<autoscaling::CreateOrUpdateTags>(call.resource, {{"Tags", tags}}));
}

void remove(const ResourceCall& call) {
  if (described(call))
    call.ask<autoscaling::DeleteAutoScalingGroup>(
        {.auto_scaling_group_name = call.id(), .force_delete = true});
}

bool is_gone(const ResourceCall& call) { return !described(call); }

}  // namespace

const Type kType{.traits = {.type = "AWS::AutoScaling::AutoScalingGroup",
                            .attributes = {},
                            .updated = kUpdated,
                            .has_tags = true},
                 .create = create,
                 .remove = remove,
                 .is_ready = is_ready,
                 .is_gone = is_gone,
                 .update = update,
                 .changes = std::span(kUpdated).first(kModelled)};

}  // namespace fakes::cloudformation::auto_scaling_group
