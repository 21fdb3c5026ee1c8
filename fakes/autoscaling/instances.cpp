#include "fakes/autoscaling/actions.h"
#include "fakes/autoscaling/requests.h"

namespace fakes::autoscaling {
namespace {

model::Desired desired(const api::Opt<bool>& decrement) {
  return decrement.value() ? model::Desired::kDecremented : model::Desired::kKept;
}

api::List<aws::Activity> shown_all(Call& call, const model::Groups::Numbers& numbers) {
  api::List<aws::Activity> all;
  all.give();
  for (const std::size_t number : numbers)
    all.push_back(shown(call, call.backend.groups.activities().at(number)));
  return all;
}

}  // namespace

Out<op::TerminateInstanceInAutoScalingGroup> terminate_instance(
    Call& call, const In<op::TerminateInstanceInAutoScalingGroup>& request) {
  auto& groups = call.backend.groups;
  const std::size_t number = groups.terminate({request.instance_id.value()},
                                              desired(request.should_decrement_desired_capacity));
  return {.activity = shown(call, groups.activities().at(number))};
}

Out<op::SetInstanceHealth> set_instance_health(Call& call,
                                               const In<op::SetInstanceHealth>& request) {
  const std::string& status = request.health_status.value();
  if (status != "Healthy" && status != "Unhealthy")
    throw validation_error("HealthStatus: found " + status + ", expected Healthy or Unhealthy");
  call.backend.groups.set_health(
      {request.instance_id.value()},
      status == "Healthy" ? model::Health::kHealthy : model::Health::kUnhealthy,
      request.should_respect_grace_period.value_or(true) ? model::GracePeriod::kRespected
                                                         : model::GracePeriod::kIgnored);
  return {};
}

Out<op::SetInstanceProtection> set_instance_protection(
    Call& call, const In<op::SetInstanceProtection>& request) {
  call.backend.groups.set_protection(
      request.auto_scaling_group_name.value(), ids(request.instance_ids),
      request.protected_from_scale_in.value() ? model::Protection::kOn : model::Protection::kOff);
  return {};
}

Out<op::AttachInstances> attach_instances(Call& call, const In<op::AttachInstances>& request) {
  as_validation([&] {
    call.backend.groups.attach(request.auto_scaling_group_name.value(), ids(request.instance_ids));
  });
  return {};
}

Out<op::DetachInstances> detach_instances(Call& call, const In<op::DetachInstances>& request) {
  return {.activities = shown_all(
              call, call.backend.groups.detach(
                        request.auto_scaling_group_name.value(), ids(request.instance_ids),
                        desired(request.should_decrement_desired_capacity)))};
}

Out<op::EnterStandby> enter_standby(Call& call, const In<op::EnterStandby>& request) {
  return {.activities = shown_all(
              call, call.backend.groups.enter_standby(
                        request.auto_scaling_group_name.value(), ids(request.instance_ids),
                        desired(request.should_decrement_desired_capacity)))};
}

Out<op::ExitStandby> exit_standby(Call& call, const In<op::ExitStandby>& request) {
  return {.activities = shown_all(
              call, call.backend.groups.exit_standby(request.auto_scaling_group_name.value(),
                                                     ids(request.instance_ids)))};
}

}  // namespace fakes::autoscaling
