// TerminateInstances, StopInstances and StartInstances; MonitorInstances and UnmonitorInstances.
#include <utility>
#include <vector>

#include "fakes/ec2/actions.h"
#include "fakes/ec2/instances.h"
#include "fakes/ec2/requests.h"

namespace fakes::ec2 {
namespace {

using sim::cloud::InstanceId;
using sim::cloud::InstanceState;

using States = std::vector<std::pair<InstanceId, InstanceState>>;

// The instances that a request names, with their present states.
States named(Call& call, const std::vector<std::string>& ids) {
  if (ids.empty())
    throw sim::cloud::ApiError("InvalidParameterCombination", "No instances specified");
  States states;
  for (const auto* instance : named_instances(call, ids))
    states.emplace_back(instance->id, instance->state);
  return states;
}

std::vector<InstanceId> ids_of(const States& states) {
  std::vector<InstanceId> ids;
  for (const auto& [id, state] : states) ids.push_back(id);
  return ids;
}

void show_changes(const Call& call, const States& before,
                  api::List<aws::InstanceStateChange>& changes) {
  for (const auto& [id, state] : before)
    changes.push_back({.current_state = shown_state(call.cloud.instance(id).state),
                       .instance_id = id.value,
                       .previous_state = shown_state(state)});
}

// Changes the monitoring of the named instances. `state` is what the answer shows of them.
api::List<aws::InstanceMonitoring> monitored(Call& call, const std::vector<std::string>& asked,
                                             bool detailed, const char* state) {
  const std::vector<InstanceId> ids = ids_of(named(call, asked));
  call.cloud.set_monitoring(ids, detailed);
  api::List<aws::InstanceMonitoring> shown;
  for (const InstanceId& id : ids)
    shown.push_back({.instance_id = id.value, .monitoring = aws::Monitoring{.state = state}});
  return shown;
}

void check_os_shutdown(const api::Opt<bool>& skip) {
  if (skip.value_or(false)) throw unsupported("SkipOsShutdown");
}

}  // namespace

op::MonitorInstances::Response monitor_instances(Call& call,
                                                 const op::MonitorInstances::Request& request) {
  return {.instance_monitorings = monitored(call, request.instance_ids, true, "pending")};
}

op::UnmonitorInstances::Response unmonitor_instances(
    Call& call, const op::UnmonitorInstances::Request& request) {
  return {.instance_monitorings = monitored(call, request.instance_ids, false, "disabling")};
}

aws::TerminateInstancesResult terminate_instances(Call& call,
                                                  const aws::TerminateInstancesRequest& request) {
  check_os_shutdown(request.skip_os_shutdown);
  const States before = named(call, request.instance_ids);
  call.cloud.terminate_instances(ids_of(before));
  aws::TerminateInstancesResult response;
  show_changes(call, before, response.terminating_instances);
  return response;
}

op::StopInstances::Response stop_instances(Call& call, const op::StopInstances::Request& request) {
  check_os_shutdown(request.skip_os_shutdown);
  const States before = named(call, request.instance_ids);
  if (request.hibernate.value_or(false))
    call.cloud.hibernate_instances(ids_of(before));
  else
    call.cloud.stop_instances(ids_of(before));
  op::StopInstances::Response response;
  show_changes(call, before, response.stopping_instances);
  return response;
}

op::StartInstances::Response start_instances(Call& call,
                                             const op::StartInstances::Request& request) {
  const States before = named(call, request.instance_ids);
  call.cloud.start_instances(ids_of(before));
  op::StartInstances::Response response;
  show_changes(call, before, response.starting_instances);
  return response;
}

}  // namespace fakes::ec2
