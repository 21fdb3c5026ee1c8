#include <algorithm>
#include <any>
#include <utility>

#include "base/text/comma_list.h"
#include "fakes/autoscaling/actions.h"
#include "fakes/autoscaling/requests.h"
#include "fakes/ec2/launch_parameters.h"
#include "fakes/ec2/network/vpc.h"
#include "fakes/role_use.h"
#include "sim/autoscaling/termination.h"

namespace fakes::autoscaling {
namespace {

using model::LaunchZone;
using model::Settings;

void check_zone(const Call& call, const std::string& zone) {
  const auto& zones = call.cloud.config().availability_zones;
  if (std::ranges::find(zones, zone) == zones.end())
    throw validation_error("Invalid availability zones: [" + zone + "]");
}

void check_placement_group(const Call& call, const std::string& name) {
  if (!name.empty())
    as_validation([&] { return call.cloud.network().placement_groups.find(name).id; });
}

// The zones of the subnets, or else the given zones.
std::vector<LaunchZone> places(const Call& call, const std::string& subnets,
                               const std::vector<std::string>& zones) {
  for (const auto& zone : zones) check_zone(call, zone);
  std::vector<LaunchZone> all;
  for (const auto& subnet : base::split_comma_list(subnets)) {
    const auto zone =
        as_validation([&] { return call.cloud.network().subnets.table.find(subnet).zone; });
    if (!zones.empty() && std::ranges::find(zones, zone) == zones.end())
      throw validation_error(
          "The availability zones of the specified subnets and the Auto Scaling "
          "group do not match");
    all.push_back({zone, subnet});
  }
  if (!all.empty()) return all;
  for (const auto& zone : zones) all.push_back({zone});
  return all;
}

// Reads the members that Create and Update have in common.
template <class Request>
void read_common(const Call& call, const Request& request, Settings& settings) {
  settings.default_cooldown =
      whole(request.default_cooldown, "DefaultCooldown", settings.default_cooldown, 0, 1 << 30);
  settings.grace_period = whole(request.health_check_grace_period, "HealthCheckGracePeriod",
                                settings.grace_period, 0, 1 << 30);
  if (request.health_check_type) settings.health_check_type = *request.health_check_type;
  if (settings.health_check_type != "EC2" && settings.health_check_type != "ELB")
    throw validation_error("HealthCheckType: found " + settings.health_check_type +
                           ", expected EC2 or ELB");
  if (request.desired_capacity_type.value_or("units") != "units")
    throw validation_error("DesiredCapacityType: found " + *request.desired_capacity_type +
                           ", expected units: this simulated AWS has no instance requirements");
  if (request.capacity_rebalance) settings.capacity_rebalance = *request.capacity_rebalance;
  if (request.new_instances_protected_from_scale_in)
    settings.protect_new = *request.new_instances_protected_from_scale_in;
  if (request.context) settings.context = *request.context;
  if (request.placement_group) {
    check_placement_group(call, *request.placement_group);
    settings.placement_group = *request.placement_group;
  }
  if (request.default_instance_warmup)
    settings.default_warmup =
        whole(request.default_instance_warmup, "DefaultInstanceWarmup", 0, -1, 1 << 30);
  if (!request.termination_policies.empty()) {
    for (const auto& policy : request.termination_policies)
      if (!model::is_termination_policy(policy))
        throw validation_error("The termination policy " + policy + " is not supported");
    settings.termination_policies = request.termination_policies;
  }
  if (request.vpc_zone_identifier || !request.availability_zones.empty()) {
    if (request.vpc_zone_identifier)
      settings.subnets = *request.vpc_zone_identifier;
    else
      settings.subnets = "";
    settings.places = places(call, settings.subnets, request.availability_zones);
  }
  if (settings.places.empty())
    throw validation_error("At least one Availability Zone or VPC Subnet is required.");
}

template <class Request>
int launches_named(const Request& request) {
  return request.launch_configuration_name.has_value() + request.launch_template.has_value() +
         request.mixed_instances_policy.has_value();
}

// The launches of a group with a launch template, one for each of its instance types.
std::vector<model::LaunchRequest> template_launches(const Settings& settings) {
  std::vector<model::LaunchRequest> all;
  if (settings.source && settings.source->launch_configuration.empty())
    all.push_back(settings.source->read());
  if (!settings.mixed) return all;
  for (const model::Override& one : settings.mixed->overrides) {
    all.push_back((one.source ? *one.source : settings.mixed->source).read());
    if (!one.instance_type.empty()) all.back().spec.instance_type = one.instance_type;
  }
  if (all.empty()) all.push_back(settings.mixed->source.read());
  return all;
}

// The caller that names a launch template needs the permissions to launch with it (Auto Scaling
// User Guide, "Control Amazon EC2 launch template usage in Auto Scaling groups"). A mixed group
// counts as on-demand here.
void check_permission(const Call& call, const Settings& settings) {
  using sim::cloud::Lifecycle;
  if (call.identity == nullptr) return;
  for (model::LaunchRequest& launch : template_launches(settings)) {
    launch.spec.image_id.clear();  // so that the template's counts, which may name a parameter
    const auto lifecycle = launch.spot ? Lifecycle::kSpot : Lifecycle::kOnDemand;
    if (!may_launch(call, ec2::parameters_of_launch(call.backend, launch.spec, lifecycle)))
      throw ApiError(
          "AccessDenied",
          "You are not authorized to use launch template: " + launch.spec.launch_template.value,
          403);
  }
}

template <class Request>
void read_launch(const Call& call, const Request& request, Settings& settings) {
  if (launches_named(request) > 1)
    throw validation_error(
        "Valid requests must contain either LaunchTemplate, "
        "LaunchConfigurationName, InstanceId or MixedInstancesPolicy parameter.");
  if (const auto& asked = request.mixed_instances_policy) {
    settings.mixed = read_policy(
        call,
        settings.mixed
            ? merged_policy(std::any_cast<const aws::MixedInstancesPolicy&>(settings.mixed->asked),
                            *asked)
            : *asked);
    settings.source.reset();
  }
  if (request.launch_configuration_name)
    settings.source = configuration_source(call, *request.launch_configuration_name);
  if (request.launch_template) settings.source = template_source(call, *request.launch_template);
  if (settings.source) settings.mixed.reset();
  if (launches_named(request) > 0) check_permission(call, settings);
}

model::GroupTags read_tags(const api::List<aws::Tag>& asked, const std::string& group) {
  model::GroupTags tags;
  for (const auto& tag : asked) {
    check_tag(tag, group);
    tags[tag.key.value()] = {tag.value.value_or(""), tag.propagate_at_launch.value_or(true)};
  }
  return tags;
}

std::vector<std::string> processes(const aws::ScalingProcessQuery& request) {
  const auto& all = process_types();
  for (const auto& process : request.scaling_processes)
    if (std::ranges::find(all, process) == all.end())
      throw validation_error("Unknown process: " + process);
  return request.scaling_processes.empty() ? all : request.scaling_processes;
}

}  // namespace

const std::vector<std::string>& process_types() {
  static const std::vector<std::string> all{
      "AZRebalance", "AddToLoadBalancer", "AlarmNotification", "HealthCheck", "InstanceRefresh",
      "Launch",      "ReplaceUnhealthy",  "ScheduledActions",  "Terminate"};
  return all;
}

Out<op::CreateAutoScalingGroup> create_group(Call& call,
                                             const In<op::CreateAutoScalingGroup>& asked) {
  In<op::CreateAutoScalingGroup> request = asked;
  const std::string& name = request.auto_scaling_group_name.value();
  auto& groups = call.backend.groups;
  if (launches_named(request) + request.instance_id.has_value() != 1)
    throw validation_error(
        "Valid requests must contain either LaunchTemplate, "
        "LaunchConfigurationName, InstanceId or MixedInstancesPolicy parameter.");
  Settings settings;
  settings.min = whole(request.min_size, "MinSize", 0, 0, kMostCapacity);
  settings.max = whole(request.max_size, "MaxSize", 0, 0, kMostCapacity);
  settings.desired =
      whole(request.desired_capacity, "DesiredCapacity", settings.min, 0, kMostCapacity);
  if (request.instance_id) {
    copy_instance(call, name, *request.instance_id);
    request.launch_configuration_name = name;
    if (!request.vpc_zone_identifier && request.availability_zones.empty())
      request.availability_zones.push_back(
          call.cloud.instance({*request.instance_id}).spec.availability_zone);
  }
  read_common(call, request, settings);
  read_launch(call, request, settings);
  std::vector<model::Hook> hooks;
  for (const auto& hook : request.lifecycle_hook_specification_list)
    hooks.push_back(read_hook(hook));
  groups.create(name, std::move(settings), read_tags(request.tags, name), hooks);
  return {};
}

Out<op::UpdateAutoScalingGroup> update_group(Call& call,
                                             const In<op::UpdateAutoScalingGroup>& request) {
  const std::string& name = request.auto_scaling_group_name.value();
  Settings settings = call.backend.groups.group(name).settings;
  read_common(call, request, settings);
  read_launch(call, request, settings);
  settings.min = whole(request.min_size, "MinSize", settings.min, 0, kMostCapacity);
  settings.max = whole(request.max_size, "MaxSize", settings.max, 0, kMostCapacity);
  // A new bound moves a desired capacity that it excludes (API reference, UpdateAutoScalingGroup).
  if (request.min_size) settings.desired = std::max(settings.desired, settings.min);
  if (request.max_size) settings.desired = std::min(settings.desired, settings.max);
  settings.desired =
      whole(request.desired_capacity, "DesiredCapacity", settings.desired, 0, kMostCapacity);
  call.backend.groups.update(name, std::move(settings));
  return {};
}

Out<op::DeleteAutoScalingGroup> delete_group(Call& call,
                                             const In<op::DeleteAutoScalingGroup>& request) {
  call.backend.groups.remove(
      request.auto_scaling_group_name.value(),
      request.force_delete.value_or(false) ? model::Force::kYes : model::Force::kNo);
  return {};
}

Out<op::SetDesiredCapacity> set_desired_capacity(Call& call,
                                                 const In<op::SetDesiredCapacity>& request) {
  call.backend.groups.set_desired(
      request.auto_scaling_group_name.value(),
      whole(request.desired_capacity, "DesiredCapacity", 0, 0, kMostCapacity),
      request.honor_cooldown.value_or(false) ? model::Cooldown::kHonored
                                             : model::Cooldown::kIgnored);
  return {};
}

Out<op::SuspendProcesses> suspend_processes(Call& call, const In<op::SuspendProcesses>& request) {
  call.backend.groups.suspend(request.auto_scaling_group_name.value(), processes(request));
  return {};
}

Out<op::ResumeProcesses> resume_processes(Call& call, const In<op::ResumeProcesses>& request) {
  call.backend.groups.resume(request.auto_scaling_group_name.value(), processes(request));
  return {};
}

}  // namespace fakes::autoscaling
