// Instances that a service manages, and the containers on them.
#include "sim/cloud/state.h"

namespace sim::cloud {

void Cloud::release_managed(const std::vector<InstanceId>& ids) {
  for (const InstanceId& id : ids) state_->terminate_by_user(state_->find(id));
}

ContainerFolder Cloud::container_folder(const InstanceId& id) {
  return state_->host.container_folder(id);
}

bool Cloud::run_container(const InstanceId& id, const Container& container, ContainerHooks hooks) {
  const Instance& instance = state_->find(id);
  return instance.shutting_down_at ||
         state_->host.run_container(instance, container, std::move(hooks));
}

void Cloud::stop_container(const InstanceId& id, Duration grace) {
  if (!state_->find(id).shutting_down_at) state_->host.stop_container(id, grace);
}

}  // namespace sim::cloud
