#include "sim/cloud/state.h"

#include <utility>

#include "sim/kernel/check.h"

namespace sim::cloud {
namespace {

ApiError not_found(const InstanceId& id) {
  return {"InvalidInstanceID.NotFound", "The instance ID '" + id.value + "' does not exist"};
}
ApiError not_found(const VolumeId& id) {
  return {"InvalidVolume.NotFound", "The volume '" + id.value + "' does not exist."};
}
ApiError not_found(const SnapshotId& id) {
  return {"InvalidSnapshot.NotFound", "The snapshot '" + id.value + "' does not exist."};
}
ApiError not_found(const SpotRequestId& id) {
  return {"InvalidSpotInstanceRequestID.NotFound",
          "The spot instance request ID '" + id.value + "' does not exist"};
}
ApiError not_found(const FleetId& id) {
  return {"InvalidSpotFleetRequestId.NotFound",
          "The spot fleet request ID '" + id.value + "' does not exist"};
}
ApiError not_found(const LaunchTemplateId& id) {
  return {"InvalidLaunchTemplateId.NotFound",
          "The specified launch template, with template ID " + id.value + ", does not exist."};
}

template <class Id, class T>
T& look_up(std::map<Id, T>& table, const Id& id) {
  const auto found = table.find(id);
  if (found == table.end()) throw not_found(id);
  return found->second;
}

}  // namespace

Cloud::State::State(Simulation& sim, const Streams& st, market::Market& m, Host& h, Config c)
    : simulation(sim), streams(st), market(m), host(h), config(std::move(c)), ids(st) {
  SIM_CHECK(config.durations.snapshot_mib_per_second > 0);
  market.subscribe([this](const Pool& pool) { pool_changed(pool); });
}

Duration Cloud::State::draw(Range range, std::string_view name, const std::string& id) const {
  const Duration drawn = streams.stream(name, id).between(range.low, range.high);
  return pace ? pace(name, drawn) : drawn;
}

void Cloud::State::cancel(std::optional<EventId>& event) {
  if (event) simulation.cancel(*event);
  event.reset();
}

Instance& Cloud::State::find(const InstanceId& id) { return look_up(instances, id); }
Volume& Cloud::State::find(const VolumeId& id) { return look_up(volumes, id); }
Snapshot& Cloud::State::find(const SnapshotId& id) { return look_up(snapshots, id); }
SpotRequest& Cloud::State::find(const SpotRequestId& id) { return look_up(spot_requests, id); }
Fleet& Cloud::State::find(const FleetId& id) { return look_up(fleets, id); }
LaunchTemplate& Cloud::State::find(const LaunchTemplateId& id) {
  return look_up(launch_templates, id);
}

// EC2 user guide, "Terminate your instance": it stays visible for about an hour.
bool Cloud::State::shows(const Instance& instance) const {
  if (!instance.spec.managed_by.empty()) return false;
  return !instance.terminated_at || now() - *instance.terminated_at <= std::chrono::hours{1};
}

Instance& Cloud::State::shown(const InstanceId& id) {
  Instance& instance = find(id);
  if (!shows(instance)) throw not_found(id);
  return instance;
}

Volume& Cloud::State::shown(const VolumeId& id) {
  Volume& volume = find(id);
  if (!Cloud::shows(volume)) throw not_found(id);
  return volume;
}

Snapshot& Cloud::State::shown(const SnapshotId& id) {
  Snapshot& snapshot = find(id);
  if (!Cloud::shows(snapshot)) throw not_found(id);
  return snapshot;
}

SpotRequest& Cloud::State::shown(const SpotRequestId& id) {
  SpotRequest& request = find(id);
  if (!Cloud::shows(request)) throw not_found(id);
  return request;
}

}  // namespace sim::cloud
