// Describes groups, their instances and their activities.
#include <algorithm>
#include <any>
#include <ranges>
#include <set>

#include "fakes/autoscaling/actions.h"
#include "fakes/autoscaling/requests.h"

namespace fakes::autoscaling {
namespace {

using model::Group;
using model::Member;

// The members of Instance and AutoScalingInstanceDetails that have the same names.
template <class Shown>
Shown shown_member(const Member& member) {
  Shown shown{.availability_zone = member.zone,
              .health_status = member.healthy ? "Healthy" : "Unhealthy",
              .instance_id = member.id.value,
              .instance_type = member.instance_type,
              .lifecycle_state = std::string(name(member.state)),
              .protected_from_scale_in = member.is_protected};
  if (!member.source.launch_configuration.empty())
    shown.launch_configuration_name = member.source.launch_configuration;
  if (!member.source.launch_template.empty()) shown.launch_template = shown_template(member.source);
  if (member.weighted) shown.weighted_capacity = std::to_string(member.weight);
  return shown;
}

aws::AutoScalingGroup shown_group(const Group& group) {
  const auto& settings = group.settings;
  aws::AutoScalingGroup shown{.auto_scaling_group_arn = group.arn,
                              .auto_scaling_group_name = group.name,
                              .capacity_rebalance = settings.capacity_rebalance,
                              .created_time = timestamp(group.created),
                              .default_cooldown = settings.default_cooldown,
                              .desired_capacity = settings.desired,
                              .health_check_grace_period = settings.grace_period,
                              .health_check_type = settings.health_check_type,
                              .max_size = settings.max,
                              .min_size = settings.min,
                              .new_instances_protected_from_scale_in = settings.protect_new,
                              .service_linked_role_arn = {},
                              .vpc_zone_identifier = settings.subnets};
  std::set<std::string> zones;
  for (const auto& place : settings.places) zones.insert(place.zone);
  shown.availability_zones.assign(zones.begin(), zones.end());
  if (!settings.context.empty()) shown.context = settings.context;
  if (!settings.placement_group.empty()) shown.placement_group = settings.placement_group;
  if (settings.default_warmup) shown.default_instance_warmup = *settings.default_warmup;
  if (settings.mixed)
    shown.mixed_instances_policy =
        std::any_cast<const aws::MixedInstancesPolicy&>(settings.mixed->asked);
  else if (settings.source->launch_configuration.empty())
    shown.launch_template = shown_template(*settings.source);
  else
    shown.launch_configuration_name = settings.source->launch_configuration;
  if (group.deleting) shown.status = "Delete in progress";
  for (const Member& member : group.members)
    shown.instances.push_back(shown_member<aws::Instance>(member));
  for (const auto& [process, reason] : group.suspended)
    shown.suspended_processes.push_back({.process_name = process, .suspension_reason = reason});
  for (const auto& [key, tag] : group.tags) shown.tags.push_back(shown_tag(group.name, key, tag));
  shown.termination_policies = settings.termination_policies;
  shown.enabled_metrics.give();
  shown.instances.give();
  shown.load_balancer_names.give();
  shown.suspended_processes.give();
  shown.tags.give();
  shown.target_group_arns.give();
  shown.traffic_sources.give();
  return shown;
}

// tag-key, tag-value and tag:KEY. For each filter one of its values must match.
bool passes(const Group& group, const aws::Filter& filter) {
  const std::string& name = filter.name.value_or("");
  const auto has = [&](const std::string& text) {
    return std::ranges::find(filter.values, text) != filter.values.end();
  };
  if (name == "tag-key")
    return std::ranges::any_of(group.tags, [&](const auto& tag) { return has(tag.first); });
  if (name == "tag-value")
    return std::ranges::any_of(group.tags, [&](const auto& tag) { return has(tag.second.value); });
  if (!name.starts_with("tag:"))
    throw validation_error(
        "Filter type " + name +
        " is not correct. Allowed Filter types are: tag-key tag-value tag:<key>");
  const auto found = group.tags.find(name.substr(4));
  return found != group.tags.end() && has(found->second.value);
}

}  // namespace

aws::Activity shown(Call& call, const model::Activity& activity) {
  const auto all = call.backend.groups.groups();
  const bool exists = std::ranges::any_of(
      all, [&](const Group* group) { return group->arn == activity.group_arn; });
  aws::Activity shown{.activity_id = activity.id,
                      .auto_scaling_group_arn = activity.group_arn,
                      .auto_scaling_group_name = activity.group,
                      .cause = activity.cause,
                      .description = activity.description,
                      .details = activity.details,
                      .progress = activity.progress,
                      .start_time = timestamp(activity.start),
                      .status_code = std::string(name(activity.status))};
  if (!exists) shown.auto_scaling_group_state = "Deleted";
  if (!activity.message.empty()) shown.status_message = activity.message;
  if (activity.end) shown.end_time = timestamp(*activity.end);
  return shown;
}

Out<op::DescribeAutoScalingGroups> describe_groups(
    Call& call, const In<op::DescribeAutoScalingGroups>& request) {
  const auto& names = request.auto_scaling_group_names;
  Out<op::DescribeAutoScalingGroups> response;
  response.auto_scaling_groups.give();
  for (const Group* group : call.backend.groups.groups()) {
    if (!names.empty() && std::ranges::find(names, group->name) == names.end()) continue;
    if (std::ranges::all_of(request.filters,
                            [&](const aws::Filter& filter) { return passes(*group, filter); }))
      response.auto_scaling_groups.push_back(shown_group(*group));
  }
  response.next_token = cut_page(request, "auto-scaling-groups", response.auto_scaling_groups);
  return response;
}

Out<op::DescribeAutoScalingInstances> describe_instances(
    Call& call, const In<op::DescribeAutoScalingInstances>& request) {
  const auto& asked = request.instance_ids;
  Out<op::DescribeAutoScalingInstances> response;
  response.auto_scaling_instances.give();
  for (const Group* group : call.backend.groups.groups())
    for (const Member& member : group->members) {
      if (!asked.empty() && std::ranges::find(asked, member.id.value) == asked.end()) continue;
      auto shown = shown_member<aws::AutoScalingInstanceDetails>(member);
      shown.health_status = member.healthy ? "HEALTHY" : "UNHEALTHY";  // as this action writes it
      shown.auto_scaling_group_name = group->name;
      response.auto_scaling_instances.push_back(std::move(shown));
    }
  response.next_token =
      cut_page(request, "auto-scaling-instances", response.auto_scaling_instances);
  return response;
}

// Newest first. Activities of deleted groups are included only on request.
Out<op::DescribeScalingActivities> describe_activities(
    Call& call, const In<op::DescribeScalingActivities>& request) {
  const auto& named = request.activity_ids;
  const bool deleted = request.include_deleted_groups.value_or(false);
  if (request.auto_scaling_group_name && !deleted)
    call.backend.groups.group(*request.auto_scaling_group_name);
  std::set<std::string> there;
  for (const Group* group : call.backend.groups.groups()) there.insert(group->arn);
  Out<op::DescribeScalingActivities> response;
  response.activities.give();
  for (const auto& activity : std::views::reverse(call.backend.groups.activities())) {
    if (request.auto_scaling_group_name.value_or(activity.group) != activity.group) continue;
    if (!named.empty() && std::ranges::find(named, activity.id) == named.end()) continue;
    if (deleted || there.contains(activity.group_arn))
      response.activities.push_back(shown(call, activity));
  }
  response.next_token = cut_page(request, "scaling-activities", response.activities);
  return response;
}

}  // namespace fakes::autoscaling
